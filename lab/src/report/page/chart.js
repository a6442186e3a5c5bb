"use strict";
// The look of a chart: its colours, its figures, its shapes, and the plotter's options.
window.netclock = (() => {
  const root = document.documentElement;
  const plots = [];
  // The labels of close marks are spread over this many rows.
  const MARK_ROWS = 4;
  // Values that would extend the scale by more than this factor are cut off.
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

  // Draws each value as a mark of this `size`.
  const marks = (size, isFilled, draw) => (plot, index, from, to) => {
    const path = new Path2D(), [xs, ys] = [plot.data[0], plot.data[index]];
    for (let at = from; at <= to; at++) {
      if (ys[at] == null) continue;
      const x = plot.valToPos(xs[at], "x", true), y = plot.valToPos(ys[at], "y", true);
      draw(path, x, y, size * devicePixelRatio);
    }
    return { stroke: isFilled ? null : path, fill: isFilled ? path : null, flags: 0 };
  };
  const dots = marks(1.6, true, (path, x, y, size) => {
    path.moveTo(x + size, y);
    path.arc(x, y, size, 0, 2 * Math.PI);
  });
  const crosses = marks(3, false, (path, x, y, size) => {
    path.moveTo(x - size, y - size);
    path.lineTo(x + size, y + size);
    path.moveTo(x - size, y + size);
    path.lineTo(x + size, y - size);
  });
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
  // A sample of the curve's shape for the legend.
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

  // ---- Charts ---------------------------------------------------------------------------------------------

  const joined = (chart) =>
    chart.curves.length > 1 ? uPlot.join(chart.curves.map(({ x, y }) => [x, y])) :
      [chart.curves[0].x, chart.curves[0].y];

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
    // Lines and curves are drawn behind the text.
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

  // A few extreme values, as in the first second, must not flatten all others.
  const room = (plot, least, most) => {
    if (least == null) return [-1, 1];
    const [from, to] = plot.series[0].idxs;
    const shown = plot.data.filter((_, at) => at > 0 && plot.series[at].show);
    const values = shown.flatMap((ys) => ys.slice(from, to + 1)).filter((y) => y != null);
    values.sort((a, b) => a - b);
    const at = (share) => values[Math.round((values.length - 1) * share)];
    const low = at(0.01), high = at(0.99), isFar = most - least > FAR * (high - low) && high > low;
    const [bottom, top] = isFar ? [low, high] : [least, most];
    const margin = (top - bottom) * (isFar ? 0.5 : 0.1) || Math.abs(top) * 0.1 || 1;
    return [bottom - margin, top + margin];
  };

  const options = (chart, group, width) => {
    const font = "12px system-ui, sans-serif";
    const lines = { stroke: () => colour("grid"), width: 1 };
    const axis = { stroke: () => colour("soft"), grid: lines, ticks: lines, font };
    return {
      width, height: Math.round(Math.min(340, Math.max(210, width * 0.36))),
      legend: { show: false },
      focus: { alpha: 0.3 },
      scales: { x: { time: false }, y: { range: room, distr: chart.is_bent ? 4 : 1, asinh: 1 } },
      axes: [
        {
          ...axis, size: 32, space: 64,
          incrs: [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
            1800, 3600, 7200, 14400, 28800, 86400],
          values: (_, splits, __, ___, step) => splits.map((split) => moment(split, step)),
        },
        {
          ...axis, size: 58, label: chart.unit, labelSize: 18, labelFont: font, labelGap: 0,
          values: (_, splits) => splits.map((split) => split == null ? null : +split.toPrecision(6)),
        },
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

  return { plots, figure, moment, swatch, joined, options };
})();
