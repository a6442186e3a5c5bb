"use strict";
// Draws the charts of a page from its data and lets users zoom with mouse, touch or keyboard.
(() => {
  const page = window.netclock.page = JSON.parse(document.getElementById("data").textContent);
  const { plots, figure, moment, swatch, joined, options } = window.netclock;
  const ZOOM = 2;
  const LEAST_STRETCH = 0.01;

  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
  };
  const button = (act, attributes, ...children) => {
    const made = element("button", { type: "button", ...attributes }, ...children);
    made.addEventListener("click", act);
    return made;
  };

  // ---- A stretch of time, the same in all charts of a part ------------------------------------------------

  class Group {
    constructor(part, key) {
      this.key = key;
      this.plots = [];
      // Follows the newest data on a live page until the user zooms in.
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
    // Only one tab is open at a time.
    tabs(section) {
      const tabs = [...section.querySelectorAll(".tab")];
      const buttons = tabs.map((tab, at) => button(() => open(at), {}, tab.dataset.tab));
      const open = (chosen) => tabs.forEach((tab, at) => {
        tab.hidden = at !== chosen;
        buttons[at].setAttribute("aria-pressed", at === chosen);
        if (at === chosen) tab.dispatchEvent(new Event("tab", { bubbles: true }));
      });
      this.bar.prepend(...buttons);
      if (tabs.length) open(0);
    }
    tools() {
      this.said = element("output", { class: "soft" });
      const tools = [
        ["all", "Everything", () => this.all()],
        ["in", "Zoom in", () => this.zoom(1 / ZOOM)],
        ["out", "Zoom out", () => this.zoom(ZOOM)],
        ["earlier", "Earlier", () => this.move(-0.5)],
        ["later", "Later", () => this.move(0.5)],
      ].map(([name, label, act]) => button(act, { "data-tool": name }, label));
      const attributes = { class: "tools", role: "toolbar", "aria-label": "Shown stretch of time" };
      return (this.bar = element("div", attributes, ...tools, this.said));
    }
  }

  // ---- Around a chart -------------------------------------------------------------------------------------

  const pointed = (plot, at) => {
    const index = plot.cursor.idxs?.[at + 1];
    return index == null || plot.cursor.left < 0 ? null : plot.data[at + 1][index];
  };

  const legend = (chart, plot) => {
    const outputs = [];
    const curves = chart.curves.flatMap((curve, at) => {
      const isBand = curve.shape === "band", isUpper = chart.curves[at - 1]?.shape === "band";
      if (isUpper) return [];
      const output = element("output", { "aria-live": "off" });
      const toggle = button(() => {
        const show = !plot.series[at + 1].show;
        plot.setSeries(at + 1, { show });
        if (isBand) plot.setSeries(at + 2, { show });
        toggle.setAttribute("aria-pressed", show);
      }, { "aria-pressed": curve.is_shown });
      toggle.innerHTML = swatch(curve);
      toggle.append(element("span", {}, curve.label), output);
      outputs.push([output, isBand ? [at, at + 1] : [at]]);
      return [toggle];
    });
    (plot.hooks.setCursor ??= []).push(() => outputs.forEach(([output, ends]) => {
      const values = ends.map((at) => pointed(plot, at)).filter((value) => value != null);
      output.textContent = values.map(figure).join(" … ");
    }));
    const attributes = { class: "legend", role: "group", "aria-label": `Curves of ${chart.title}` };
    return element("div", attributes, ...curves);
  };

  const keys = (place, chart, plot, group, status) => {
    const say = () => {
      const values = chart.curves.map((curve, at) => {
        const value = plot.series[at + 1].show ? pointed(plot, at) : null;
        return value == null ? null : `${curve.label} ${figure(value)}`;
      });
      const where = plot.posToVal(plot.cursor.left, "x");
      status.textContent = [moment(where, 0.01), ...values.filter(Boolean)].join(", ");
    };
    place.addEventListener("keydown", (event) => {
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

  const build = (box, chart, group) => {
    if (!chart.curves.length) return;
    const label = `${chart.title}. ${chart.words}`;
    const place = element("div", { class: "plot", tabindex: 0, role: "img", "aria-label": label });
    box.append(place);
    const width = () => Math.max(200, place.clientWidth);
    const plot = new uPlot(options(chart, group, width()), joined(chart), place);
    const status = element("p", { class: "soft", role: "status" });
    place.before(legend(chart, plot));
    place.after(status);
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
    const group = new Group(part, `part ${number}`);
    for (const { kind, content } of part.blocks) {
      if (kind !== "chart") continue;
      const box = section.querySelector(`[data-chart="${content.id}"]`);
      if (!group.said) (box.closest(".tab") ?? box).before(group.tools());
      build(box, content, group);
    }
    if (!group.plots.length) return;
    group.all();
    group.tabs(section);
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
})();
