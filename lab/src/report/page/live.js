"use strict";
// Updates a live page with data from its server and sends button presses.
(() => {
  const { plots, moment } = window.netclock;
  const KEPT_S = 60;
  const ASK_MS = 250;
  const MOST_TOLD = 2;
  // The index and the factor of the value that each curve shows. For example, a band shows twice the expected
  // error.
  const SOURCES = { main: [0, 1], bound: [1, 1], expected: [2, 2], second: [3, 1], other: [4, 1] };
  const tabs = [...document.querySelectorAll(".tab")];
  const headline = [...document.querySelectorAll(".headline > span > b, .headline p")];
  const connection = document.getElementById("connection");
  const live = (window.netclock.live = { points: tabs.map(() => []),
    happenings: [], seen: 0, run: null, end: null });

  const write = (place, text) => {
    if (place && place.textContent !== text) place.textContent = text;
  };
  const status = (words, weight = "soft") => {
    connection.className = weight;
    write(connection, words);
  };

  // The headline of the open tab is shown.
  let headlines = [];
  const headlined = () => headlines[tabs.findIndex((tab) => !tab.hidden)]?.forEach((text, at) =>
    write(headline[at], text));
  document.addEventListener("tab", headlined);

  // ---- What happens ---------------------------------------------------------------------------------------

  // The latest texts about each tab's client, below its chart.
  const told = tabs.map(() => []);
  const tell = ({ at, row, text }) => tabs.forEach((tab, of) => {
    const place = tab.querySelector(".told");
    if (!place || (row != null && row !== of)) return;
    told[of] = [`${moment(at)} ${text}`, ...told[of]].slice(0, MOST_TOLD);
    place.textContent = told[of].join("\n");
  });
  const end = (finding) => {
    live.end = finding;
    if (finding) status(`The run is over. ${finding.text}`, finding.weight);
  };

  // ---- Charts ---------------------------------------------------------------------------------------------

  const INKS = { fine: "good", note: "other", warning: "warn", fault: "bad" };
  const columns = (points, { curves }) => [points.map(([at]) => at), ...curves.map(({ ink, shape }) => {
    const [from, times] = SOURCES[ink], by = shape === "band" ? -times : times;
    return points.map(([, values]) => (values[from] == null ? null : by * values[from]));
  })];
  const redraw = () => {
    if (document.hidden) return;
    const groups = new Set();
    plots.forEach(({ chart, plot, group }, row) => {
      const begin = live.points[row]?.[0]?.[0] ?? 0;
      const isHere = (it) => it.kind !== "message" && it.at >= begin && (it.row == null || it.row === row);
      chart.marks = live.happenings.filter(isHere)
        .map(({ at, label, weight }) => ({ at, label, ink: INKS[weight] }));
      plot.setData(columns(live.points[row] ?? [], chart), false);
      groups.add(group);
    });
    groups.forEach((group) => (group.isFollowing ? group.all() : group.show(group.from, group.to)));
  };
  live.redraw = redraw;

  // ---- News -----------------------------------------------------------------------------------------------

  const take = ({ run, rows, headlines: figures, happenings, earlier, end: ended }) => {
    // A different run may have different clients and buttons.
    if (live.run != null && live.run !== run) return location.reload();
    live.run = run;
    rows.forEach((points, row) => {
      const kept = live.points[row], last = newest(row);
      kept.push(...points.filter(([at]) => at > last));
      while (kept.length && kept[0][0] < newest(row) - KEPT_S) kept.shift();
    });
    headlines = figures;
    headlined();
    const fresh = earlier + happenings.length - live.seen;
    if (fresh > 0) happenings.slice(-fresh).filter(({ kind }) => kind !== "clock_event").forEach(tell);
    live.happenings = happenings;
    live.seen += fresh;
    status("Connected: what you see happens now.", "fine");
    end(ended);
    redraw();
  };
  const newest = (row) => live.points[row].at(-1)?.[0] ?? -Infinity;
  const ask = async () => {
    try {
      const since = Math.min(...live.points.map((_, row) => newest(row)));
      const answer = await fetch(Number.isFinite(since) ? `state?since=${since}` : "state");
      if (answer.ok) take(await answer.json());
      else status(`${(await answer.text()).trim()} Trying again.`, "warning");
    } catch {
      if (!live.end) status("The program that serves this page does not answer; trying again.", "warning");
    }
    setTimeout(ask, ASK_MS);
  };
  ask();

  // ---- Buttons --------------------------------------------------------------------------------------------

  document.querySelectorAll("button[data-act]").forEach((button) => {
    button.addEventListener("click", async () => {
      const press = { act: button.dataset.act, row: button.dataset.for == null ? null : +button.dataset.for };
      const fail = (text) => tell({ at: newest(press.row ?? 0), row: press.row, text });
      try {
        const answer = await fetch("act", { method: "POST", body: JSON.stringify(press) });
        if (!answer.ok) fail((await answer.text()).trim());
      } catch {
        fail("The program that serves this page does not answer.");
      }
    });
  });
})();
