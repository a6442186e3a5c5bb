"use strict";
// Uses a page as a person would. Reads each chart, switches curves on and off, and zooms with the buttons,
// keyboard and mouse.
(async () => {
  const problems = [], { page, plots } = window.netclock;
  const expect = (isTrue, what) => { if (!isTrue) problems.push(what); };
  // Charts are drawn at the end of the current task.
  const drawn = () => new Promise((done) => setTimeout(done, 1));
  const pixels = (plot) => plot.ctx.canvas.toDataURL();
  const range = (plot) => [plot.scales.x.min, plot.scales.x.max];
  const same = (one, other) => one.every((value, at) => Math.abs(value - other[at]) < 1e-6);
  // Only one tab is open.
  const open = (box) => {
    const at = [...document.querySelectorAll(".tab")].indexOf(box.closest(".tab"));
    if (at >= 0) document.querySelectorAll(".tools button[aria-pressed]")[at].click();
  };
  await drawn();
  expect(document.documentElement.scrollWidth <= innerWidth,
    `the page is ${document.documentElement.scrollWidth} px wide in a window of ${innerWidth}`);
  const first = document.querySelector(".scroll");
  expect(innerWidth >= 600 || first.scrollWidth <= first.clientWidth, "the first table is cut off");
  const charts = plots.map(({ chart, plot }) => ({
    id: chart.id,
    values: chart.curves.map(({ x }, at) => {
      const places = new Map(plot.data[0].map((place, index) => [place, index]));
      return [x.filter((place) => places.has(place)),
        x.map((place) => plot.data[at + 1][places.get(place)] ?? null)];
    }),
  }));
  for (const { chart, plot, box } of plots) {
    open(box);
    await new Promise((done) => setTimeout(done, 50));
    const place = box.querySelector(".plot");
    expect(place.tabIndex === 0 && place.getAttribute("aria-label").length > 40,
      `${chart.id} has no text alternative`);
    for (const button of box.querySelectorAll(".legend button")) {
      const before = pixels(plot), was = button.getAttribute("aria-pressed");
      button.click();
      await drawn();
      expect(button.getAttribute("aria-pressed") !== was,
        `${chart.id}: ${button.textContent} does not switch`);
      expect(pixels(plot) !== before, `${chart.id}: ${button.textContent} draws nothing`);
      button.click();
      await drawn();
      expect(pixels(plot) === before, `${chart.id}: ${button.textContent} does not come back`);
    }
    plot.setCursor({ left: plot.over.clientWidth / 2, top: 20 });
    await drawn();
    expect([...box.querySelectorAll(".legend output")].some((output) => output.textContent),
      `${chart.id}: no values under the cursor`);
  }
  for (const [number] of page.parts.entries()) {
    const section = document.querySelector(`[data-part="${number}"]`);
    const timed = plots.filter(({ box }) => section.contains(box));
    open(timed[0].box);
    const whole = range(timed[0].plot), length = whole[1] - whole[0];
    const press = async (name) => {
      section.querySelector(`[data-tool="${name}"]`).click();
      await drawn();
      const now = range(timed[0].plot);
      expect(timed.every(({ plot }) => same(range(plot), now)),
        `part ${number}: ${name}: the charts show different times`);
      return now;
    };
    const near = await press("in");
    expect(Math.abs((near[1] - near[0]) - length / 2) < 1e-6 * length,
      `part ${number}: zooming in shows ${near}`);
    const later = await press("later");
    expect(later[0] > near[0], `part ${number}: later shows ${later}`);
    const earlier = await press("earlier");
    expect(earlier[0] < later[0], `part ${number}: earlier shows ${earlier}`);
    expect(same(await press("all"), whole), `part ${number}: everything is not everything`);
    const { plot, box } = timed[0], place = box.querySelector(".plot");
    const key = async (name, more) => {
      place.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, ...more }));
      await drawn();
      return range(plot);
    };
    const plus = await key("+");
    expect(plus[1] - plus[0] < length * 0.6, `part ${number}: the key + shows ${plus}`);
    expect(!same(await key("ArrowRight", { shiftKey: true }), plus),
      `part ${number}: Shift and an arrow do not move`);
    expect(same(await key("0"), whole), `part ${number}: the key 0 does not show everything`);
    await key("ArrowRight");
    expect(box.querySelector("[role=status]").textContent.length > 5,
      `part ${number}: the cursor says nothing`);
    const { left, top, width } = plot.over.getBoundingClientRect();
    const mouse = (type, target, share) => target.dispatchEvent(new MouseEvent(type, {
      clientX: left + width * share, clientY: top + 40, button: 0, buttons: 1, movementX: 9, bubbles: true,
        view: window,
    }));
    mouse("mousemove", plot.over, 0.25);
    mouse("mousedown", plot.over, 0.25);
    mouse("mousemove", plot.over, 0.5);
    mouse("mouseup", document, 0.5);
    await drawn();
    const dragged = range(plot);
    expect(Math.abs(dragged[1] - dragged[0] - length / 4) < length * 0.03,
      `part ${number}: dragging shows ${dragged}`);
    mouse("dblclick", plot.over, 0.5);
    await drawn();
    expect(same(range(plot), whole), `part ${number}: a double click shows ${range(plot)}`);
    for (const button of section.querySelectorAll("button.show")) {
      button.click();
      await drawn();
      const [from, to] = range(plot);
      expect(from <= +button.dataset.from && to >= Math.min(whole[1], +button.dataset.to),
        `part ${number}: a verdict shows ${from} to ${to}`);
    }
    await press("all");
  }
  const before = pixels(plots[0].plot), colour = getComputedStyle(document.body).backgroundColor;
  document.getElementById("theme").click();
  await drawn();
  expect(pixels(plots[0].plot) !== before, "the charts keep their colours");
  expect(getComputedStyle(document.body).backgroundColor !== colour, "the page keeps its colours");
  return { problems, charts };
})()
