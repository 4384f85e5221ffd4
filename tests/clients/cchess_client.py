"""Drives the engine named on the command line through PyPI cchess, in both dialects.

Exit status: 0 all well, 1 the engine misbehaved, 77 cchess is not installed.
"""

import sys
import time

try:
    from cchess import ChessBoard
    from cchess.engine import UcciEngine, UciEngine
except ImportError as error:
    print(error)
    sys.exit(77)

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
STALEMATE = "3k5/R8/9/9/9/9/9/9/9/4K4 b"
PATIENCE = 20


def ask(engine, fen, params):
    """Asks for a move and returns the answer and the lines of analysis before it."""
    assert engine.go_from(fen, params)
    lines = []
    deadline = time.time() + PATIENCE
    while time.time() < deadline:
        action = engine.get_action()
        if action is None:
            time.sleep(0.01)
        elif action["action"] == "info_move":
            lines.append(action)
        elif action["action"] in ("bestmove", "dead", "draw"):
            return action, lines
    raise AssertionError(f"no answer to {params} in {fen}")


def play(engine, plies):
    """A short game of the engine against itself, each move checked by cchess."""
    board = ChessBoard(START)
    for _ in range(plies):
        fen = board.to_fen()
        answer, lines = ask(engine, fen, {"depth": 4})
        assert answer["action"] == "bestmove", answer
        assert lines and lines[-1]["moves"][0] == answer["move"], (answer, lines)
        assert isinstance(answer["score"], int), answer
        assert board.move_iccs(answer["move"]) is not None, (fen, answer["move"])
        board.next_turn()


def converse(engine, path):
    assert engine.load(path)
    assert engine.wait_for_ready(PATIENCE), "no ok line"
    assert engine.ids["name"].startswith("hanxin"), engine.ids
    assert any("hash" in option.lower() for option in engine.options)
    engine.set_option("hashsize", 32)
    engine.set_option("usebook", "false")
    play(engine, 8)
    answer, _ = ask(engine, STALEMATE, {"depth": 4})
    assert answer["action"] == "dead", answer
    engine.go_from(START, {"infinite": ""})
    time.sleep(0.2)
    engine.stop_thinking()
    engine.quit()
    assert engine.process.wait(PATIENCE) in (0, -15), engine.process.returncode


for kind in (UcciEngine, UciEngine):
    converse(kind(), sys.argv[1])
    print(f"{kind.__name__}: ok")
