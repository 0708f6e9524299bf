/*
 * The timeline: tracks on a canvas. A track keeps its spans in columns of numbers, sorted by their beginning;
 * only what is in sight is drawn, and of spans that share a pixel the first one.
 */
const NAMES = 150, HEADING = 22, ROW = 24, LEVEL = 17, GAP = 3, AXIS = 20;
const total = Math.max(data.length, 1);
const PALE = new Set(["wait", "sleep", "idle", "deep-idle", "deepest-idle", "poll"]);
let from = 0, to = total;		/* what is in sight, ns since the start */
let found = null, matches = [], current = -1, selected = null;

/* columns as arrays; lengths of absent ones are all zero */
for (const t of data.tracks) {
	t.start = new Float64Array(t.nr);
	t.longest = 0;
	for (let i = 0, at = t.from; i < t.nr; i++) {
		at += t.d ? t.d[i] : 0;
		t.start[i] = at;
		t.longest = Math.max(t.longest, t.n ? t.n[i] : 0);
	}
}
const column = (t, c, i) => t[c] ? t[c][i] : 0;
/* nested spans have a row for each level */
const step = t => t.levels ? LEVEL : ROW, heightOf = t => (t.levels || 1) * step(t);
const labelOf = (t, i) => data.labels[column(t, "l", i)];

function spanText(t, i) {
	const k = data.kinds[column(t, "k", i)], length = column(t, "n", i), more = column(t, "m", i);
	const parts = [t.name, k.title + " " + duration(more ? length : length - column(t, "g", i))];

	if (more)
		parts.push((more + 1) + " spans, " + duration(length - column(t, "g", i)) + " in all");
	if (k.unit)
		parts.push(column(t, "a", i) + " " + k.unit);
	if (labelOf(t, i))
		parts.push(labelOf(t, i));
	if (column(t, "o", i))
		parts.push("by " + data.tracks[column(t, "o", i) - 1].name);
	parts.push("at " + duration(t.start[i]));
	return parts.join("\n");
}

/* ---- the page */
const canvas = element("canvas", { tabindex: "0", role: "img",
	"aria-label": data.title + ". Arrow keys move, + and - zoom, n and N step through matches." });
const search = element("input", { type: "search", placeholder: "search (regular expression)", "aria-label": "search" });
const count = element("span", { id: "found", "aria-live": "polite" });
const status = element("div", { id: "status", "aria-live": "polite" });
const chart = element("div", { id: "chart" }, canvas);

document.body.append(
	element("header", {}, element("h1", {}, data.title), search, count,
		element("button", { onclick: () => zoom(0.5), title: "zoom in (+)" }, "+"),
		element("button", { onclick: () => zoom(2), title: "zoom out (-)" }, "\u2212"),
		element("button", { onclick: reset, title: "show all (0)" }, "reset"),
		element("button", { onclick: toggleTheme, title: "light or dark" }, "\u25d0"),
		...(data.tracks.some(t => t.o) ? [element("button", { onclick: toggleArrows, title: "lines of wake-ups (l)",
			"aria-pressed": "true", id: "arrows" }, "wake-ups")] : [])),
	element("div", { class: "legend" }, ...data.kinds.filter((k, i) => k.used &&
		data.kinds.findIndex(o => o.used && o.title == k.title) == i).map(k =>
		element("span", {}, element("i", { style: `background:var(--${k.tone})` }), k.title))),
	chart, status, ...footer(),
	element("div", { class: "notes" }, "The wheel, + and \u2212 zoom; dragging and arrow keys move; " +
		(data.tracks.some(t => t.o) ? "thin lines lead from who woke a task to the task; " : "") +
		"a click shows what is there; n and N step through matches; 0 shows all; " +
		"Alt and the wheel scroll the page."),
	tip);

/* ---- drawing */
/* the canvas is as high as the window, and stays in it while the page scrolls */
let width = 0, height = 0, offset = 0, pending = false, colors = {};
const rows = [];		/* y of each track */

function layout() {
	let y = AXIS, group = -1;

	data.tracks.forEach((t, i) => {
		y += t.group != group ? HEADING : 0;
		group = t.group;
		rows[i] = y;
		y += heightOf(t) + GAP;
	});
	height = y;
}
const names = () => Math.min(NAMES, width / 4);
const xOf = time => names() + (time - from) / (to - from) * (width - names());
const timeOf = x => from + (x - names()) / (width - names()) * (to - from);

/* the first span that may reach to that time */
function firstAt(t, time) {
	let low = 0, high = t.nr;

	time -= t.longest;
	while (low < high) {
		const mid = (low + high) >> 1;

		if (t.start[mid] < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

function box(t, i, y) {
	const k = data.kinds[column(t, "k", i)];
	const row = step(t), at = y + row * column(t, "v", i);
	let top = at + row * k.top / 100, bottom = at + row * k.bottom / 100;

	if (k.max)
		top = bottom - (bottom - top) * column(t, "a", i) / k.max;
	return [top, bottom];
}

function drawTrack(g, t, y) {
	const kinds = data.kinds.length, last = new Array(kinds * (t.levels || 1)).fill(-1);

	g.fillStyle = colors.band;
	g.fillRect(names(), y, width - names(), heightOf(t));
	for (let i = firstAt(t, from); i < t.nr && t.start[i] <= to; i++) {
		const kind = column(t, "k", i), hit = found && found.test(labelOf(t, i) || t.name);
		const left = Math.max(xOf(t.start[i]), names());
		const right = Math.min(xOf(t.start[i] + column(t, "n", i)), width);

		const place = kind + kinds * column(t, "v", i);

		if (right < names() || (right <= last[place] && !hit))
			continue;
		const [top, bottom] = box(t, i, y);
		last[place] = Math.max(right, left + 1);
		g.fillStyle = colors[hit ? "match" : data.kinds[kind].tone];
		g.fillRect(left, top, Math.max(right - left, 1), bottom - top);
		if (right - left > 40 && bottom - top > 12 && labelOf(t, i)) {
			g.save();
			g.beginPath();
			g.rect(left, top, right - left - 3, bottom - top);
			g.clip();
			g.fillStyle = PALE.has(data.kinds[kind].tone) && !hit ? colors.text : colors.page;
			g.fillText(labelOf(t, i), left + 3, (top + bottom) / 2 + 4);
			g.restore();
		}
	}
}

function drawAxis(g) {
	const wanted = (to - from) / Math.max((width - names()) / 110, 1);
	let step = Math.pow(10, Math.ceil(Math.log10(Math.max(wanted, 1))));

	step = step / 5 >= wanted && step >= 10 ? step / 5 : step / 2 >= wanted && step >= 10 ? step / 2 : step;
	g.strokeStyle = colors.line;
	g.fillStyle = colors.dim;
	for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
		const x = Math.round(xOf(at)) + 0.5;

		g.beginPath();
		g.moveTo(x, 0);
		g.lineTo(x, height);
		g.stroke();
		g.fillText(duration(at), x + 3, 12);
	}
}

/* from the track that caused a span to the span */
function drawArrow(g, t, i) {
	const other = column(t, "o", i), x = xOf(t.start[i]);

	if (!other)
		return;
	g.strokeStyle = colors.accent;
	g.beginPath();
	g.moveTo(x, rows[other - 1] + ROW / 2);
	g.lineTo(x, rows[data.tracks.indexOf(t)] + ROW / 2);
	g.stroke();
}

/* all of them, thin: those of the same tracks that share a pixel are one line, so none is left out */
let arrows = 0, wakeUps = true;
function drawArrows(g) {
	const drawn = new Set();

	g.strokeStyle = colors.text;
	g.lineWidth = 0.5;
	g.beginPath();
	data.tracks.forEach((t, at) => {
		for (let i = t.o ? firstAt(t, from) : t.nr; i < t.nr && t.start[i] <= to; i++) {
			const other = t.o[i] - 1, x = Math.round(xOf(t.start[i]) * 2) / 2, key = (x * data.tracks.length + other) *
				data.tracks.length + at;

			if (other < 0 || other == at || t.start[i] < from || drawn.has(key))
				continue;
			drawn.add(key);
			g.moveTo(x, rows[other] + (other < at ? ROW : 0));
			g.lineTo(x, rows[at] + (other < at ? 0 : ROW));
		}
	});
	/* where there are many, the spans below them still matter */
	g.globalAlpha = Math.max(0.15, Math.min(0.5, width / 2 / Math.max(drawn.size, 1)));
	g.stroke();
	g.globalAlpha = g.lineWidth = 1;
	arrows = drawn.size;
}

function toggleArrows() {
	wakeUps = !wakeUps;
	arrows = 0;
	document.getElementById("arrows")?.setAttribute("aria-pressed", wakeUps);
	redraw();
}

function draw() {
	const g = canvas.getContext("2d"), scale = devicePixelRatio || 1;
	let group = -1;

	pending = false;
	const seen = Math.min(height, innerHeight);

	offset = Math.max(0, Math.min(scrollY - chart.offsetTop, height - seen));
	chart.style.height = height + "px";
	canvas.width = width * scale;
	canvas.height = seen * scale;
	canvas.style.height = seen + "px";
	canvas.style.top = offset + "px";
	g.setTransform(scale, 0, 0, scale, 0, -offset * scale);
	g.font = "11px system-ui, sans-serif";
	g.fillStyle = colors.page;
	g.fillRect(0, offset, width, seen);
	drawAxis(g);
	data.tracks.forEach((t, i) => {
		if (t.group != group) {
			g.fillStyle = colors.text;
			g.font = "bold 12px system-ui, sans-serif";
			g.fillText(data.groups[t.group], 4, rows[i] - 6);
			g.font = "11px system-ui, sans-serif";
			group = t.group;
		}
		if (rows[i] + heightOf(t) < offset || rows[i] > offset + seen)
			return;
		drawTrack(g, t, rows[i]);
		g.save();
		g.beginPath();
		g.rect(0, rows[i], names() - 4, heightOf(t));
		g.clip();
		g.fillStyle = found && found.test(t.name) ? colors.match : colors.text;
		g.fillText(t.name, 4, rows[i] + ROW / 2 + 4);
		g.restore();
	});
	if (wakeUps)
		drawArrows(g);
	if (selected) {
		const [t, i] = selected, [top, bottom] = box(t, i, rows[data.tracks.indexOf(t)]);
		const left = xOf(t.start[i]);

		g.strokeStyle = colors.accent;
		g.strokeRect(left, top, Math.max(xOf(t.start[i] + column(t, "n", i)) - left, 1), bottom - top);
		drawArrow(g, t, i);
	}
	/* for those who test, and for scripts */
	document.body.dataset.from = Math.round(from);
	document.body.dataset.to = Math.round(to);
	document.body.dataset.matches = matches.length;
	document.body.dataset.arrows = arrows;
}

function redraw() {
	if (!pending)
		requestAnimationFrame(draw);
	pending = true;
}

function resize() {
	width = chart.clientWidth;
	redraw();
}

/* ---- moving */
function show(a, b) {
	const length = Math.min(Math.max(b - a, Math.max(Math.min(100, total), total / 1e7)), total);

	from = Math.max(0, Math.min(a, total - length));
	to = from + length;
	writeFragment({ from: from > 0 || to < total ? Math.round(from) : "",
			to: from > 0 || to < total ? Math.round(to) : "", search: search.value });
	redraw();
}
function zoom(factor, x) {
	const at = x == null ? (from + to) / 2 : timeOf(Math.max(x, names()));

	show(at - (at - from) * factor, at + (to - at) * factor);
}
const move = part => show(from + (to - from) * part, to + (to - from) * part);

function reset() {
	selected = null;
	status.textContent = "";
	search.value = "";
	find();
	show(0, total);
}

/* the span below a point: what is drawn last; a pixel of tolerance */
function spanAt(x, y) {
	const index = rows.findIndex((top, i) => y >= top && y < top + heightOf(data.tracks[i])), slack = (to - from) / (width - names());
	let hit = null;

	if (index < 0 || x < names())
		return index < 0 ? null : [data.tracks[index], -1];
	const t = data.tracks[index], time = timeOf(x);

	for (let i = firstAt(t, time - slack); i < t.nr && t.start[i] <= time + slack; i++) {
		const [top, bottom] = box(t, i, rows[index]);

		if (t.start[i] + column(t, "n", i) >= time - slack && y >= top && y <= bottom &&
		    !(hit && column(t, "k", hit[1]) > column(t, "k", i)))
			hit = [t, i];
	}
	return hit;
}

function select(hit) {
	selected = hit && hit[1] >= 0 ? hit : null;
	status.textContent = selected ? spanText(...selected).replaceAll("\n", " \u00b7 ") : "";
	redraw();
}

/* ---- searching: labels of spans and names of tracks */
function find() {
	found = search.value ? pattern(search.value) : null;
	matches = [];
	current = -1;
	let busy = 0;

	for (const t of found ? data.tracks : [])
		for (let i = 0; i < t.nr; i++)
			if (found.test(labelOf(t, i) || t.name)) {
				matches.push([t, i]);
				busy += column(t, "n", i) - column(t, "g", i);
			}
	count.textContent = found ? `${matches.length} spans, ${duration(busy)}` : "";
	show(from, to);
}

function nextMatch(by) {
	if (!matches.length)
		return;
	current = (current + by + matches.length) % matches.length;
	const [t, i] = matches[current], middle = t.start[i] + column(t, "n", i) / 2;
	const length = Math.min(to - from, Math.max(column(t, "n", i) * 10, total / 1e5));

	select(matches[current]);
	show(middle - length / 2, middle + length / 2);
	scrollTo({ top: rows[data.tracks.indexOf(t)] + chart.offsetTop - innerHeight / 2 });
}

/* ---- events */
const pointers = new Map();
let dragged = 0;

canvas.addEventListener("wheel", e => {
	if (e.altKey || e.ctrlKey)
		return;			/* the page scrolls */
	if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey)
		move((e.deltaX || e.deltaY) / 1000);
	else
		zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300))), e.offsetX);
	e.preventDefault();
}, { passive: false });
canvas.addEventListener("pointerdown", e => {
	pointers.set(e.pointerId, e.offsetX);
	dragged = 0;
	canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener("pointermove", e => {
	const was = pointers.get(e.pointerId);

	if (was == null) {
		const hit = spanAt(e.offsetX, e.offsetY + offset);

		showTip(hit ? hit[1] < 0 ? hit[0].name + (hit[0].detail ? "\n" + hit[0].detail : "") :
			spanText(...hit) : "", e.clientX, e.clientY);
		return;
	}
	const others = [...pointers].filter(p => p[0] != e.pointerId).map(p => p[1]);

	dragged += Math.abs(e.offsetX - was);
	if (others.length)
		zoom(Math.max(Math.abs(was - others[0]), 10) / Math.max(Math.abs(e.offsetX - others[0]), 10),
		     (others[0] + e.offsetX) / 2);
	else if (dragged > 3)
		move((was - e.offsetX) / (width - names()));
	pointers.set(e.pointerId, e.offsetX);
});
for (const end of ["pointerup", "pointercancel"])
	canvas.addEventListener(end, e => {
		if (end == "pointerup" && dragged <= 3)
			select(spanAt(e.offsetX, e.offsetY + offset));
		pointers.delete(e.pointerId);
	});
canvas.addEventListener("pointerleave", () => showTip(""));
canvas.addEventListener("dblclick", () => selected &&
	show(selected[0].start[selected[1]] - column(selected[0], "n", selected[1]) * 0.1,
	     selected[0].start[selected[1]] + column(selected[0], "n", selected[1]) * 1.1));

const keys = {
	"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), w: () => zoom(0.5), s: () => zoom(2),
	ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25), a: () => move(-0.25), d: () => move(0.25),
	l: toggleArrows, 0: reset, Escape: reset, n: () => nextMatch(1), N: () => nextMatch(-1), "/": () => search.focus(),
};
addEventListener("keydown", e => {
	if (e.target == search) {
		if (e.key == "Enter")
			nextMatch(e.shiftKey ? -1 : 1);
		if (e.key == "Escape")
			canvas.focus();
		return;
	}
	if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key])
		return;
	keys[e.key]();
	e.preventDefault();
});
search.addEventListener("input", find);
addEventListener("resize", resize);
addEventListener("scroll", redraw);

onTheme.push(() => {
	for (const name of ["page", "text", "dim", "line", "band", "accent", "match",
			    ...data.kinds.map(k => k.tone)])
		colors[name] = color(name);
	redraw();
});

const link = readFragment();
layout();
applyTheme();
resize();
search.value = link.get("search") || "";
if (link.get("to"))
	show(+link.get("from") || 0, +link.get("to") || total);
if (search.value)
	find();
