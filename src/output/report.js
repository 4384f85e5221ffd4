"use strict";
// Replays the games of the page. Text from the match reaches the page as text only, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const games = data.games;
  const byId = (id) => document.getElementById(id);
  const PAGE = 100; // rows of the list that are added at a time
  const BEAT = 700; // milliseconds a move when a game plays by itself

  for (const time of document.querySelectorAll("time[data-seconds]")) {
    const date = new Date(1000 * time.dataset.seconds);
    time.dateTime = date.toISOString();
    time.textContent = date.toISOString().slice(0, 16).replace("T", " ") + " UTC";
  }
  if (games.length === 0) return;
  games.sort((a, b) => a.n - b.n);

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const board = byId("board");
  const drawing = (name, attributes, text) => {
    const made = document.createElementNS(board.namespaceURI, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const duration = (us) =>
    us < 1e6 ? (us / 1e3).toFixed(us < 1e4 ? 1 : 0) + " ms" : (us / 1e6).toFixed(2) + " s";
  const isMate = (score) => Math.abs(score) > 9000 && Math.abs(score) <= 10000;
  const scoreText = (score) => {
    const sign = score < 0 ? "−" : "+";
    if (!isMate(score)) return sign + (Math.abs(score) / 100).toFixed(2);
    const plies = 10000 - Math.abs(score);
    return sign + "M" + (score > 0 ? Math.ceil(plies / 2) : Math.floor(plies / 2));
  };

  // The game that is shown, and how many of its moves are made.
  let game = games[0];
  let ply = 0;
  let turned = false;
  let timer = 0;

  const plies = () => game.moves.length / 4;
  const redBegins = () => game.fen.split(" ")[1] !== "b";
  const isRed = (index) => (index % 2 === 0) === redBegins();
  const moveAt = (index) => game.moves.slice(4 * index, 4 * index + 4);
  const chineseAt = (index) => game.chinese.slice(4 * index, 4 * index + 4);
  // A square is a number: its file, and nine for each rank below the top one.
  const square = (move, at) => move.charCodeAt(at) - 97 + 9 * (9 - Number(move[at + 1]));

  function position() {
    const men = new Array(90).fill("");
    let at = 0;
    for (const letter of game.fen.split(" ")[0]) {
      if (letter >= "1" && letter <= "9") at += Number(letter);
      else if (letter !== "/") men[at++] = letter;
    }
    let quiet = Number(game.fen.split(" ")[4]) || 0;
    for (let index = 0; index < ply; index++) {
      const [from, to] = [square(moveAt(index), 0), square(moveAt(index), 2)];
      quiet = men[to] ? 0 : quiet + 1;
      men[to] = men[from];
      men[from] = "";
    }
    return { men, quiet };
  }

  function fenOf({ men, quiet }) {
    const rows = [];
    for (let row = 0; row < 10; row++) {
      const letters = men.slice(9 * row, 9 * row + 9).map((man) => man || "1").join("");
      rows.push(letters.replace(/1+/g, (gap) => gap.length));
    }
    const first = Number(game.fen.split(" ")[5]) || 1;
    const number = first + Math.floor((ply + (redBegins() ? 0 : 1)) / 2);
    return `${rows.join("/")} ${isRed(ply) ? "w" : "b"} - - ${quiet} ${number}`;
  }

  const place = (at) => {
    const [file, row] = [at % 9, Math.floor(at / 9)];
    return turned ? [60 + 100 * (8 - file), 60 + 100 * (9 - row)] : [60 + 100 * file, 60 + 100 * row];
  };

  function drawBoard() {
    const state = position();
    const shapes = [];
    state.men.forEach((man, at) => {
      if (!man) return;
      const [x, y] = place(at);
      const black = man === man.toLowerCase();
      const shape = drawing("g", { class: black ? "man black" : "man", transform: `translate(${x} ${y})` });
      shape.append(drawing("circle", { r: 44 }), drawing("circle", { r: 37 }));
      shape.append(drawing("text", {}, data.glyphs[man]));
      shapes.push(shape);
    });
    if (ply > 0) {
      const move = moveAt(ply - 1);
      const [[x, y], [toX, toY]] = [place(square(move, 0)), place(square(move, 2))];
      shapes.push(drawing("rect", { class: "step", x: x - 22, y: y - 22, width: 44, height: 44, rx: 8 }));
      shapes.push(drawing("circle", { class: "step", cx: toX, cy: toY, r: 49 }));
    }
    byId("men").replaceChildren(...shapes);
    byId("fen").value = fenOf(state);
  }

  // What the engine said of a move, as a list of words.
  function thoughts(index) {
    if (game.us[index] === null) return ["opening"];
    const words = [];
    if (game.score[index] !== null) words.push(scoreText(game.score[index]));
    if (game.depth[index] !== null) words.push("d" + game.depth[index]);
    words.push(duration(game.us[index]));
    return words;
  }

  function drawWords() {
    const said = byId("said");
    if (ply === 0) return said.replaceChildren(`Start, ${isRed(0) ? "Red" : "Black"} to move`);
    const index = ply - 1;
    const move = element("b", chineseAt(index));
    move.lang = "zh-Hans";
    const words = thoughts(index);
    if (game.nodes[index] !== null) words.push(game.nodes[index].toLocaleString("en") + " nodes");
    if (game.clock && game.clock[index] !== null) words.push("clock " + duration(1e3 * game.clock[index]));
    const end = ply === plies() ? ` · ${game.result} ${game.reason}` : "";
    const number = `${ply}. ${isRed(index) ? "Red" : "Black"} `;
    said.replaceChildren(number, move, ` ${moveAt(index)} · ${words.join(" · ")}${end}`);
  }

  // Everything from a hundredth of a piece to a mate has to fit; near zero the scale is widest.
  const height = (score) => {
    const part = isMate(score) ? Math.sign(score) : score / (Math.abs(score) + 300);
    return 500 - 490 * part;
  };

  function drawEvals() {
    const across = (index) => (1000 * index) / Math.max(plies(), 1);
    const svg = drawing("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" });
    const labels = [];
    for (const value of [-900, -300, -100, 0, 100, 300, 900]) {
      const y = height(value);
      svg.append(drawing("path", { class: value ? "grid" : "grid zero", d: `M0 ${y}H1000` }));
      const label = element("span", value ? scoreText(value).replace(".00", "") : "0", "y");
      label.style.top = y / 10 + "%";
      labels.push(label);
    }
    for (const red of [true, false]) {
      const points = [];
      game.score.forEach((score, index) => {
        if (score === null || isRed(index) !== red) return;
        points.push(`${across(index + 1).toFixed(1)} ${height(red ? score : -score).toFixed(1)}`);
      });
      if (points.length) svg.append(drawing("path", { class: red ? "line red" : "line black", d: "M" + points.join("L") }));
    }
    svg.append(drawing("path", { class: "now", id: "now" }));
    const step = [10, 20, 50, 100, 200].find((it) => plies() / it <= 8) || 500;
    for (let at = 0; at <= plies(); at += step) {
      const label = element("span", String(at), "x");
      label.style.left = across(at) / 10 + "%";
      labels.push(label);
    }
    byId("evals").replaceChildren(svg, ...labels);
  }

  function drawMoves() {
    const body = element("tbody");
    const shift = redBegins() ? 0 : 1;
    let row;
    for (let index = 0; index < plies(); index++) {
      if (!row || (index + shift) % 2 === 0) {
        row = element("tr");
        row.append(element("th", `${(index + shift) / 2 + 1 | 0}.`));
        if (index === 0 && shift) row.append(element("td"));
        body.append(row);
      }
      const cell = element("td");
      const name = element("b", chineseAt(index));
      name.lang = "zh-Hans";
      cell.dataset.ply = index + 1;
      cell.append(name, moveAt(index), element("small", thoughts(index).join(" · ")));
      row.append(cell);
    }
    const table = element("table");
    table.append(body);
    byId("moves").replaceChildren(table);
  }

  function drawWho() {
    const [red, black] = [element("bdi", game.red), element("bdi", game.black)];
    const faults = game.faults ? " · " + game.faults.join(" · ") : "";
    const about = `${game.result} ${game.reason}, ${plies()} plies, ${duration(1e3 * game.ms)}${faults}`;
    byId("who").replaceChildren(element("b", `Game ${game.n}`), " ", red, " (Red) – ", black, ` (Black): ${about}`);
  }

  function step(to) {
    ply = Math.max(0, Math.min(plies(), to));
    drawBoard();
    drawWords();
    byId("ply").value = ply;
    const x = (1000 * ply) / Math.max(plies(), 1);
    byId("now").setAttribute("d", `M${x} 0V1000`);
    const moves = byId("moves");
    moves.querySelector(".now")?.classList.remove("now");
    const cell = moves.querySelector(`[data-ply="${ply}"]`);
    cell?.classList.add("now");
    // Only the list scrolls, never the page under the reader's hands.
    const top = cell ? cell.offsetTop : 0;
    if (top < moves.scrollTop || top + 48 > moves.scrollTop + moves.clientHeight) {
      moves.scrollTop = top - moves.clientHeight / 2;
    }
    try {
      history.replaceState(null, "", `#game${game.n}.${ply}`);
    } catch {} // where a page may not, there is no address to share
  }

  function show(next, at) {
    stop();
    game = next;
    byId("ply").max = plies();
    drawWho();
    drawEvals();
    drawMoves();
    markRow();
    step(at);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    const button = document.querySelector("[data-go=play]");
    button.textContent = "▶\uFE0E";
    button.setAttribute("aria-label", "play");
  }

  function play() {
    if (timer) return stop();
    if (ply === plies()) step(0);
    timer = setInterval(() => (ply < plies() ? step(ply + 1) : stop()), BEAT);
    const button = document.querySelector("[data-go=play]");
    button.textContent = "■";
    button.setAttribute("aria-label", "pause");
  }

  const turn = () => {
    turned = !turned;
    drawBoard();
  };
  const actions = {
    first: () => step(0),
    back: () => step(ply - 1),
    play,
    on: () => step(ply + 1),
    last: () => step(plies()),
    turn,
  };
  const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "on", End: "last", f: "turn" };

  // The list of games.
  const list = byId("list");
  const filters = byId("filters");
  let found = games;
  let shown = 0;

  function markRow() {
    list.querySelector("tr.now")?.classList.remove("now");
    list.querySelector(`tr[data-game="${game.n}"]`)?.classList.add("now");
  }

  function addRows() {
    const rows = found.slice(shown, shown + PAGE).map((it) => {
      const row = element("tr");
      row.dataset.game = it.n;
      const link = element("a", it.n);
      link.href = `#game${it.n}`;
      const first = element("th");
      first.scope = "row";
      first.append(link);
      const [red, black] = [element("td"), element("td")];
      red.append(element("bdi", it.red));
      black.append(element("bdi", it.black));
      const faults = (it.faults || []).join("; ");
      const opening = element("td", it.ecco ? `${it.opening} · ${it.ecco}` : it.opening);
      opening.lang = "zh-Hans";
      row.append(first, element("td", it.round), opening, red, black, element("td", it.result));
      row.append(element("td", it.reason), element("td", it.moves.length / 4), element("td", duration(1e3 * it.ms)));
      row.append(element("td", faults));
      return row;
    });
    list.tBodies[0].append(...rows);
    shown += rows.length;
    byId("more").hidden = shown === found.length;
    markRow();
  }

  function filter() {
    const { engine, result, reason, opening } = Object.fromEntries(new FormData(filters));
    found = games.filter(
      (it) =>
        (!engine || it.red === engine || it.black === engine) &&
        (!result || it.result === result) &&
        (!reason || it.reason === reason) &&
        (!opening || it.opening === Number(opening)),
    );
    byId("count").textContent = `${found.length} of ${games.length} games`;
    list.tBodies[0].replaceChildren();
    shown = 0;
    addRows();
  }

  function offer(name, values) {
    const options = [...new Set(values)].sort().map((value) => {
      const option = element("option", value);
      option.value = value;
      return option;
    });
    filters.elements[name].append(...options);
  }

  // The address names a game and a move (#game12.34), or an opening (#opening3).
  function follow(scroll) {
    const [, kind, number, at] = location.hash.match(/^#(game|opening)(\d+)(?:\.(\d+))?$/) || [];
    if (kind === "opening") {
      filters.elements.opening.value = number;
      filter();
      if (scroll) filters.scrollIntoView();
      return false;
    }
    const wanted = kind && games.find((it) => it.n === Number(number));
    if (!wanted) return false;
    show(wanted, Number(at || 0));
    if (scroll) byId("viewer").scrollIntoView();
    return true;
  }

  document.querySelector(".controls").addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]")?.dataset.go;
    if (!go) return;
    if (go !== "play" && go !== "turn") stop();
    actions[go]();
  });
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    const busy = event.target.closest?.("input, select, button, summary, a");
    if (!action || busy || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (action !== "play" && action !== "turn") stop();
    actions[action]();
  });
  byId("ply").addEventListener("input", (event) => {
    stop();
    step(Number(event.target.value));
  });
  byId("moves").addEventListener("click", (event) => {
    const cell = event.target.closest("[data-ply]");
    if (!cell) return;
    stop();
    step(Number(cell.dataset.ply));
  });
  byId("evals").addEventListener("click", (event) => {
    const area = byId("evals").getBoundingClientRect();
    stop();
    step(Math.round((plies() * (event.clientX - area.left)) / area.width));
  });
  list.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-game]");
    if (!row) return;
    event.preventDefault();
    show(games.find((it) => it.n === Number(row.dataset.game)), 0);
    byId("viewer").scrollIntoView();
  });
  filters.addEventListener("input", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", addRows);
  byId("fen").addEventListener("focus", (event) => event.target.select());
  addEventListener("hashchange", () => follow(true));

  offer("engine", games.flatMap((it) => [it.red, it.black]));
  offer("result", games.map((it) => it.result));
  offer("reason", games.map((it) => it.reason));
  for (const id of ["viewer", "filters", "list"]) byId(id).hidden = false;
  filter();
  if (!follow(false)) show(games[0], 0);
})();
