"use strict";
// Draws the charts of a page from its data, and lets people look closer: by mouse, by touch, by keyboard.
(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const plots = [];
  const ZOOM = 2;
  const LEAST_STRETCH = 0.01;
  const ROWS = 24;
  // Labels of marks that are near each other stand in rows, as many as these.
  const MARK_ROWS = 4;
  // Values that would make the scale this many times as long are not made room for.
  const FAR = 4;

  // ---- Colours --------------------------------------------------------------------------------------------

  let colours = {};
  const colour = (name) => (colours[name] ??= getComputedStyle(root).getPropertyValue("--" + name).trim());
  const theme = (name) => {
    root.dataset.theme = name;
    colours = {};
    plots.forEach(({ plot }) => plot.redraw(false, true));
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => theme(dark.matches ? "dark" : "light"));
  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", () => theme(root.dataset.theme === "dark" ? "light" : "dark"));

  // ---- Words ----------------------------------------------------------------------------------------------

  const figure = (value) => {
    if (value == null) return "–";
    const size = Math.abs(value);
    return size === 0 ? "0" : size < 1 ? value.toFixed(3) : size < 100 ? value.toFixed(2) : value.toFixed(0);
  };
  const moment = (seconds, step = 1) => {
    const decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
    const size = +Math.abs(seconds).toFixed(decimals);
    const hours = Math.floor(size / 3600), minutes = Math.floor((size % 3600) / 60);
    const rest = (size - hours * 3600 - minutes * 60).toFixed(decimals);
    const padded = rest.padStart(decimals ? decimals + 3 : 2, "0");
    const text = hours ? `${hours}:${String(minutes).padStart(2, "0")}:${padded}` : `${minutes}:${padded}`;
    return (seconds < 0 ? "−" : "") + text;
  };

  // ---- Shapes ---------------------------------------------------------------------------------------------

  const each = (plot, index, from, to, draw) => {
    const [xs, ys] = [plot.data[0], plot.data[index]];
    for (let at = from; at <= to; at++) {
      if (ys[at] == null) continue;
      draw(plot.valToPos(xs[at], "x", true), plot.valToPos(ys[at], "y", true));
    }
  };
  const dots = (plot, index, from, to) => {
    const path = new Path2D(), size = 1.6 * devicePixelRatio;
    each(plot, index, from, to, (x, y) => {
      path.moveTo(x + size, y);
      path.arc(x, y, size, 0, 2 * Math.PI);
    });
    return { stroke: null, fill: path, flags: 0 };
  };
  const crosses = (plot, index, from, to) => {
    const path = new Path2D(), size = 3 * devicePixelRatio;
    each(plot, index, from, to, (x, y) => {
      path.moveTo(x - size, y - size);
      path.lineTo(x + size, y + size);
      path.moveTo(x - size, y + size);
      path.lineTo(x + size, y - size);
    });
    return { stroke: path, fill: null, flags: 0 };
  };
  const series = (curve) => {
    const ink = () => colour(curve.ink);
    const base = { label: curve.label, show: curve.is_shown, stroke: ink, width: 1.5,
      points: { show: false } };
    switch (curve.shape) {
      case "dots": return { ...base, width: 0, fill: ink, paths: dots };
      case "crosses": return { ...base, paths: crosses };
      case "dashes": return { ...base, dash: [6, 4] };
      default: return base;
    }
  };
  // The line of a curve in its legend, in its own shape.
  const swatch = (curve) => {
    const shapes = {
      line: '<path d="M0 6h22" stroke-width="2.5"/>',
      dashes: '<path d="M0 6h22" stroke-width="2.5" stroke-dasharray="6 4"/>',
      band: '<path d="M0 2h22v8H0z" fill="currentColor" fill-opacity=".3"/>',
      dots: '<path d="M3 8h0M9 4h0M14 9h0M19 5h0" stroke-width="4" stroke-linecap="round"/>',
      crosses: '<path d="M6 1l10 10M16 1L6 11" stroke-width="2"/>',
    };
    return `<svg aria-hidden="true" width="22" height="12" fill="none" stroke="currentColor" ` +
      `style="color:var(--${curve.ink})">${shapes[curve.shape]}</svg>`;
  };

  // ---- A stretch of time, the same in all charts of a part ------------------------------------------------

  class Group {
    constructor(part) {
      this.plots = [];
      // On a live page, until somebody looks closer.
      this.isFollowing = true;
      this.stretches = part.blocks.filter((block) => block.kind === "verdicts")
        .flatMap((block) => block.content).filter((verdict) => verdict.from != null);
    }
    whole() {
      const ends = this.plots.map(({ plot }) => plot.data[0]).filter((xs) => xs.length);
      if (!ends.length) return [-0.5, 0.5];
      const from = Math.min(...ends.map((xs) => xs[0])),
        to = Math.max(...ends.map((xs) => xs[xs.length - 1]));
      return to > from ? [from, to] : [from - 0.5, from + 0.5];
    }
    show(from, to) {
      const [first, last] = this.whole();
      const length = Math.max(LEAST_STRETCH, Math.min(to - from, last - first));
      const begin = Math.min(Math.max(from, first), last - length);
      [this.from, this.to] = [begin, begin + length];
      this.plots.forEach(({ plot }) => plot.setScale("x", { min: this.from, max: this.to }));
      const ends = [this.from, this.to].map((at) => moment(at, length / 100));
      if (this.said) this.said.textContent = ends.join(" to ");
    }
    all() {
      this.show(...this.whole());
      this.isFollowing = true;
    }
    zoom(factor, around = (this.from + this.to) / 2) {
      this.isFollowing = false;
      this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
    }
    move(share) {
      this.isFollowing = false;
      const by = (this.to - this.from) * share;
      this.show(this.from + by, this.to + by);
    }
    // Buttons for the tabs of a section, if it has some, of which one is open at a time.
    tabs(section, bar) {
      const tabs = [...section.querySelectorAll(".tab")];
      const buttons = tabs.map((tab, at) => {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", textContent: tab.dataset.tab });
        button.addEventListener("click", () => open(at));
        return button;
      });
      const open = (chosen) => tabs.forEach((tab, at) => {
        tab.hidden = at !== chosen;
        buttons[at].setAttribute("aria-pressed", at === chosen);
      });
      bar.prepend(...buttons);
      if (tabs.length) open(0);
    }
    tools() {
      const bar = document.createElement("div");
      bar.className = "tools";
      bar.setAttribute("role", "toolbar");
      bar.setAttribute("aria-label", "Shown stretch of time");
      const add = (name, label, act) => {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", textContent: label });
        button.dataset.tool = name;
        button.addEventListener("click", act);
        bar.append(button);
      };
      add("all", "Everything", () => this.all());
      add("in", "Zoom in", () => this.zoom(1 / ZOOM));
      add("out", "Zoom out", () => this.zoom(ZOOM));
      add("earlier", "Earlier", () => this.move(-0.5));
      add("later", "Later", () => this.move(0.5));
      this.said = document.createElement("output");
      this.said.className = "soft";
      bar.append(this.said);
      this.bar = bar;
      return bar;
    }
  }

  // ---- Charts ---------------------------------------------------------------------------------------------

  const joined = (chart) =>
    chart.curves.length > 1 ? uPlot.join(chart.curves.map(({ x, y }) => [x, y])) :
      [chart.curves[0].x, chart.curves[0].y];

  // The index of the value of a curve that is nearest to the cursor.
  const nearest = (plot, index, hovered, value) => {
    const [xs, ys] = [plot.data[0], plot.data[index]];
    if (index === 0 || ys[hovered] != null) return hovered;
    let [left, right] = [hovered, hovered];
    while (left >= 0 && ys[left] == null) left--;
    while (right < ys.length && ys[right] == null) right++;
    if (left < 0) return right < ys.length ? right : hovered;
    if (right >= ys.length) return left;
    return value - xs[left] < xs[right] - value ? left : right;
  };

  const drawStretches = (group) => (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { from, to, weight } of group.stretches) {
      const left = plot.valToPos(from, "x", true), right = plot.valToPos(to, "x", true);
      ctx.fillStyle = colour({ fine: "good", note: "main", warning: "warn", fault: "bad" }[weight]) + "1c";
      ctx.fillRect(left, bbox.top, Math.max(right - left, 2 * devicePixelRatio), bbox.height);
    }
    ctx.restore();
  };

  const drawMarks = (chart) => (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    const pad = 3 * devicePixelRatio, high = 13 * devicePixelRatio, right = bbox.left + bbox.width;
    const free = Array(MARK_ROWS).fill(-Infinity), labels = [];
    for (const mark of chart.marks) {
      const x = plot.valToPos(mark.at, "x", true);
      if (x < bbox.left || x > right) continue;
      ctx.strokeStyle = colour(mark.ink);
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const width = ctx.measureText(mark.label).width, begin = Math.min(x + pad, right - width);
      const row = free.findIndex((from) => begin >= from);
      if (row < 0) continue;
      labels.push([mark, begin, bbox.top + pad + row * high]);
      free[row] = begin + width + 2 * pad;
    }
    // Lines and curves stay behind the letters.
    ctx.setLineDash([]);
    ctx.lineJoin = "round";
    ctx.lineWidth = 4 * devicePixelRatio;
    ctx.strokeStyle = colour("card");
    labels.forEach(([{ label }, x, y]) => ctx.strokeText(label, x, y));
    labels.forEach(([{ label, ink }, x, y]) => {
      ctx.fillStyle = colour(ink);
      ctx.fillText(label, x, y);
    });
    ctx.restore();
  };

  // The values to make room for. A few far out, as in the first second, do not squeeze all others.
  const room = (plot, least, most) => {
    if (least == null) return [-1, 1];
    const [from, to] = plot.series[0].idxs;
    const values = [];
    plot.series.forEach((curve, at) => {
      if (at === 0 || !curve.show) return;
      for (let index = from; index <= to; index++)
        if (plot.data[at][index] != null) values.push(plot.data[at][index]);
    });
    values.sort((a, b) => a - b);
    const at = (share) => values[Math.round((values.length - 1) * share)];
    const low = at(0.01), high = at(0.99), isFar = most - least > FAR * (high - low) && high > low;
    const [bottom, top] = isFar ? [low, high] : [least, most];
    const margin = (top - bottom) * (isFar ? 0.5 : 0.1) || Math.abs(top) * 0.1 || 1;
    return [bottom - margin, top + margin];
  };

  const options = (chart, group, width) => {
    const axis = (more) => ({
      stroke: () => colour("soft"), grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { stroke: () => colour("grid"), width: 1 }, font: "12px system-ui, sans-serif",
      size: 32, ...more,
    });
    return {
      width, height: Math.round(Math.min(340, Math.max(210, width * 0.36))),
      legend: { show: false },
      focus: { alpha: 0.3 },
      scales: {
        x: { time: false },
        y: { range: room },
      },
      axes: [
        axis({
          incrs: [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
            1800, 3600, 7200, 14400, 28800, 86400],
          values: (_, splits, __, ___, step) => splits.map((split) => moment(split, step)),
          space: 64,
        }),
        axis({ label: chart.unit, labelSize: 18,
          labelFont: "12px system-ui, sans-serif", size: 58,
          labelGap: 0, values: (_, splits) =>
            splits.map((split) => split == null ? null : +split.toPrecision(6)) }),
      ],
      series: [{}, ...chart.curves.map(series)],
      bands: chart.curves.flatMap((curve, at) =>
        curve.shape === "band" ? [{ series: [at + 2, at + 1], fill: () => colour(curve.ink) + "2e" }] : []),
      cursor: {
        dataIdx: nearest,
        drag: { x: true, y: false, setScale: false },
        sync: { key: group.key, scales: ["x", null] },
        bind: { dblclick: () => () => group.all() },
      },
      hooks: {
        drawClear: [drawStretches(group)],
        draw: [drawMarks(chart)],
        setSelect: [(plot) => {
          if (plot.select.width < 4) return;
          const at = (pixel) => plot.posToVal(pixel, "x");
          group.isFollowing = false;
          group.show(at(plot.select.left), at(plot.select.left + plot.select.width));
          plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        }],
      },
    };
  };

  const legend = (chart, plot) => {
    const list = document.createElement("div");
    list.className = "legend";
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", `Curves of ${chart.title}`);
    const outputs = [];
    chart.curves.forEach((curve, at) => {
      const isUpper = chart.curves[at - 1]?.shape === "band";
      if (isUpper) return;
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", curve.is_shown);
      button.innerHTML = swatch(curve);
      const name = document.createElement("span"), value = document.createElement("output");
      name.textContent = curve.label;
      value.setAttribute("aria-live", "off");
      button.append(name, value);
      button.addEventListener("click", () => {
        const show = !plot.series[at + 1].show;
        plot.setSeries(at + 1, { show });
        if (curve.shape === "band") plot.setSeries(at + 2, { show });
        button.setAttribute("aria-pressed", show);
      });
      outputs.push([at, value, curve]);
      list.append(button);
    });
    const read = () => {
      outputs.forEach(([at, output, curve]) => {
        const index = plot.cursor.idxs?.[at + 1], value = index == null ? null : plot.data[at + 1][index];
        const other = curve.shape === "band" && index != null ? plot.data[at + 2][index] : null;
        output.textContent = plot.cursor.left < 0 || value == null ? ""
          : other == null ? figure(value) : `${figure(value)} … ${figure(other)}`;
      });
    };
    (plot.hooks.setCursor ??= []).push(read);
    return list;
  };

  const keys = (element, chart, plot, group, status) => {
    const say = () => {
      const values = chart.curves.map((curve, at) => {
        const index = plot.cursor.idxs?.[at + 1], value = index == null ? null : plot.data[at + 1][index];
        return plot.series[at + 1].show && value != null ? `${curve.label} ${figure(value)}` : null;
      });
      const where = plot.posToVal(plot.cursor.left, "x");
      status.textContent = [moment(where, 0.01), ...values.filter(Boolean)].join(", ");
    };
    element.addEventListener("keydown", (event) => {
      const width = plot.over.clientWidth, left = plot.cursor.left < 0 ? width / 2 : plot.cursor.left;
      const cursor = (by) => {
        plot.setCursor({ left: Math.min(width - 1, Math.max(0, left + by)),
          top: plot.over.clientHeight / 2 });
        say();
      };
      const middle = () => (plot.cursor.left < 0 ? undefined : plot.posToVal(plot.cursor.left, "x"));
      const acts = {
        ArrowLeft: () => (event.shiftKey ? group.move(-0.25) : cursor(-width / 100)),
        ArrowRight: () => (event.shiftKey ? group.move(0.25) : cursor(width / 100)),
        "+": () => group.zoom(1 / ZOOM, middle()),
        "=": () => group.zoom(1 / ZOOM, middle()),
        "-": () => group.zoom(ZOOM, middle()),
        0: () => group.all(),
      };
      if (!acts[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      acts[event.key]();
    });
  };

  // The values of the shown stretch, for those who would rather read.
  const values = (chart, plot) => {
    const details = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = "Values";
    details.append(summary);
    details.addEventListener("toggle", () => {
      details.querySelector("div")?.remove();
      if (!details.open) return;
      const { min, max } = plot.scales.x;
      const inside = plot.data[0].map((x, at) => [x, at]).filter(([x]) => x >= min && x <= max);
      const every = Math.max(1, Math.ceil(inside.length / ROWS));
      const table = document.createElement("table"),
        shown = chart.curves.map((_, at) => plot.series[at + 1].show);
      const row = (cells, tag) => {
        const line = table.insertRow();
        cells.forEach((text) => line.append(
          Object.assign(document.createElement(tag), { textContent: text })));
      };
      const kept = (list) => list.filter((_, at) => shown[at]);
      row(["time", ...kept(chart.curves.map((curve) => curve.label))], "th");
      inside.filter((_, at) => at % every === 0).forEach(([x, at]) => {
        const cells = chart.curves.map((_, curve) =>
          figure(plot.data[curve + 1][nearest(plot, curve + 1, at, x)]));
        row([moment(x, 0.01), ...kept(cells)], "td");
      });
      const box = document.createElement("div");
      box.className = "scroll";
      box.append(table);
      details.append(box);
    });
    return details;
  };

  const build = (box, chart, group) => {
    if (!chart.curves.length) return;
    const place = document.createElement("div");
    place.className = "plot";
    place.tabIndex = 0;
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", `${chart.title}. ${chart.words}`);
    box.append(place);
    const width = () => Math.max(200, place.clientWidth);
    const plot = new uPlot(options(chart, group, width()), joined(chart), place);
    const status = document.createElement("p");
    status.className = "soft";
    status.setAttribute("role", "status");
    place.before(legend(chart, plot));
    place.after(status, values(chart, plot));
    keys(place, chart, plot, group, status);
    new ResizeObserver(() => {
      const { width: wide, height } = options(chart, group, width());
      if (wide !== plot.width) plot.setSize({ width: wide, height });
    }).observe(place);
    const entry = { chart, plot, group, box };
    plots.push(entry);
    group.plots.push(entry);
  };

  page.parts.forEach((part, number) => {
    const section = document.querySelector(`[data-part="${number}"]`);
    const group = new Group(part);
    group.key = `part ${number}`;
    for (const { kind, content } of part.blocks) {
      if (kind !== "chart") continue;
      const box = section.querySelector(`[data-chart="${content.id}"]`);
      if (!group.said) (box.closest(".tab") ?? box).before(group.tools());
      build(box, content, group);
    }
    if (!group.plots.length) return;
    group.all();
    group.tabs(section, group.bar);
    section.querySelectorAll("button.show").forEach((button) => {
      button.hidden = false;
      button.addEventListener("click", () => {
        const from = +button.dataset.from, to = +button.dataset.to, margin = Math.max(1, (to - from) * 0.25);
        group.show(from - margin, to + margin);
        const first = group.plots[0].box;
        first.scrollIntoView({ block: "start" });
        first.querySelector(".plot").focus({ preventScroll: true });
      });
    });
  });

  window.netclock = { page, plots, moment };
})();
