/*
 * When the samples of a report happened: a heat map (a column is a span of time, its rows are parts of it, from the
 * top down) on which a part of the time is chosen, and lanes of CPUs and threads, of which one can be chosen. The
 * flame graph and the functions are then those of the chosen part: the sums of its slots, which the page has by node.
 */
const HEAT_ROW = 5, LANE_HEIGHT = 22;
let part = null;		/* [first, last] slot, in slots of the whole number of rows; null: all */
let chosenLane = "";		/* "CPU 0", "thread make 123"; "": all of them */
let cursor = 0, anchor = 0;	/* slots: the end that keys move, and the other end */

const timed = g => g.time && !g.time.missing && !g.time.spans;
const timeNow = () => data.graphs[+events.value || 0].time;
const shown = () => data.graphs[+events.value || 0];

/* slots of a column that are one in a graph that had to be made smaller */
const coarse = t => t.wantedRows / t.rows;

/* lanes can be chosen where the page has the slots of each */
const hasLanes = t => t.slotCpu != null;
const laneKey = lane => lane.kind + " " + lane.name;
/* the index of the chosen one, which another event may not have; -1 */
const laneIndex = t => chosenLane && hasLanes(t) ? t.lanes.findIndex(l => laneKey(l) == chosenLane) : -1;
/* whether a slot is of the chosen lane, by the position in the lists of slots */
function inLane(t) {
	const at = laneIndex(t), list = at < 0 ? null : t.lanes[at].kind == "CPU" ? t.slotCpu : t.slotThread;

	return k => !list || list[k] == at + 1;
}

/* the sums of the slots of a part and lane: of each node, and of what it called */
function sumsOf(g, range) {
	const t = g.time, by = coarse(t), self = new Array(g.total.length).fill(0), isIn = inLane(t);
	const [first, last] = range || [0, Infinity];
	let node = 0;

	for (let k = 0; k < t.slotAt.length; k++) {
		node += t.slotNode[k];
		if (t.slotAt[k] >= Math.floor(first / by) && t.slotAt[k] <= Math.floor(last / by) && isIn(k))
			self[node] += t.slotPeriod[k];
	}
	return withSums(g, self);
}
/* a graph in which nodes have other sums */
function withSums(g, self) {
	const open = [];
	const total = self.slice(), parent = g.depth.map((depth, i) => {
		open.length = depth;
		open.push(i);
		return depth ? open[depth - 1] : -1;
	});
	for (let i = total.length - 1; i > 0; i--)
		total[parent[i]] += total[i];
	return { ...g, total, self };
}
narrow = g => timed(g) && (part || laneIndex(g.time) >= 0) ? sumsOf(g, part) : g;

/*
 * The flame graph in the order of time: each column of the heat map has the stacks that ran then, as wide as their
 * shares of it; a frame that goes on in the next column is one.
 */
let byTime = false;
placesByTime = () => {
	const g = shown(), t = g.time;

	if (!byTime || inverted || !timed(g))
		return null;
	const [first, last] = part ? part.map(slot => Math.floor(slot / t.wantedRows)) : [0, t.columns - 1];
	const columns = Array.from({ length: last - first + 1 }, () => new Map()), list = [], lastPlace = [];
	const isIn = inLane(t), inside = [], columnWidth = width / columns.length;
	const partIn = part ? part.map(slot => Math.floor(slot / coarse(t))) : [0, Infinity];
	let node = 0;

	for (let i = 0; i < graph.nr; i++)
		inside[i] = i == zoomed || (i > 0 && inside[graph.parent[i]]);
	for (let k = 0; k < t.slotAt.length; k++) {
		const slot = t.slotAt[k];

		node += t.slotNode[k];
		if (!inside[node] || slot < partIn[0] || slot > partIn[1] || !isIn(k))
			continue;
		const sums = columns[Math.floor(slot / t.rows) - first];

		for (let i = node; i >= 0; i = graph.parent[i])
			sums.set(i, (sums.get(i) || 0) + t.slotPeriod[k]);
	}
	const place = (sums, i, x, depth, scale) => {
		const w = sums.get(i) * scale, before = lastPlace[depth];

		if (w < LEAST)
			return w;
		if (before && before.i == i && Math.abs(before.x + before.w - x) < 0.1)
			before.w = x + w - before.x;
		else
			list.push(lastPlace[depth] = { i, x, w, depth });
		let at = x;
		for (const c of graph.children[i])
			if (sums.has(c))
				at += place(sums, c, at, depth + 1, scale);
		return w;
	};
	columns.forEach((sums, c) => sums.has(0) && place(sums, 0, c * columnWidth, 0, columnWidth / Math.max(sums.get(0), 1)));
	return list;
};
function orderByTime() {
	byTime = !byTime || inverted;
	inverted = false;
	open(+events.value);
	showTimeButton();
	showRoot();
}
const timeButton = element("button", { onclick: orderByTime, title: "stacks in the order of time (t)" }, "time order");
function showTimeButton() {
	timeButton.hidden = !timed(shown());
	timeButton.setAttribute("aria-pressed", byTime && !inverted);
}
colors.before(timeButton);
keys.t = () => timed(shown()) && orderByTime();
moreFragment.time = () => byTime ? 1 : "";
byTime = link.get("time") == "1";

moreFragment.from = () => part ? part[0] : "";
moreFragment.to = () => part ? part[1] : "";
moreFragment.lane = () => chosenLane;

/* periods by slot, of the chosen lane */
function heatOf(g) {
	const sums = new Array(g.time.columns * g.time.rows).fill(0), isIn = inLane(g.time);

	g.time.slotAt.forEach((slot, k) => { sums[slot] += isIn(k) ? g.time.slotPeriod[k] : 0; });
	return sums;
}

/* ---- elements */
const heat = element("canvas", { id: "heat", tabindex: "0", role: "application", "aria-describedby": "part", "aria-label":
	"Heat map of the samples over time. Arrow keys move, Shift and an arrow key choose a part, Escape chooses all." });
const partText = element("span", { id: "part", "aria-live": "polite" });
const wholeTime = element("button", { onclick: () => choosePart(null) }, "whole time");
const allLanes = element("button", { onclick: () => chooseLane("") }, "all CPUs and threads");
const heatScale = element("div", { id: "heat-scale" });
const heatBox = element("section", { id: "time" }, element("h2", {}, "Time"), heat, heatScale,
	element("p", {}, partText, " ", wholeTime, " ", allLanes));
const laneList = element("div", { id: "lane-list" });
const laneBox = element("section", { id: "lanes" }, element("details", {}, element("summary", {}, "CPUs and threads over time"),
	laneList));
let heats = null, mostHeat = 1;

status.before(heatBox);
heatBox.after(laneBox);

const slotTime = slot => slot * timeNow().column / timeNow().wantedRows;
const spanText = ([first, last]) => `${duration(slotTime(first))} to ${duration(slotTime(last + 1))}`;

const laneName = lane => lane.others ? `${lane.others} more ${lane.kind}s` : `${lane.kind} ${lane.name}`;

function showPart() {
	const g = shown(), all = Math.max(g.total[0], 1);
	const what = [...(chosenLane ? [laneName(g.time.lanes[laneIndex(g.time)])] : []), ...(part ? [spanText(part)] : [])];

	partText.textContent = what.length ? `${what.join(", ")}: ${(graph.total[0] / all * 100).toFixed(2)} % of all; ` +
		"the flame graph and the functions show this part, and shares are shares of it." :
		`A column is ${duration(g.time.column)}; drag over a part of the time to see only its flame graph.` +
		(coarse(g.time) > 1 ? ` Slots are ${coarse(g.time)} times as long as usual, so that this file ` +
		 "stays small." : "");
	wholeTime.hidden = !part;
	allLanes.hidden = !chosenLane;
	document.body.dataset.part = part ? part.join("-") : "";
	document.body.dataset.lane = chosenLane;
	document.body.dataset.sum = graph.total[0];
}

/* what the axes and the colors of the heat map mean */
const heatAlpha = part => 0.12 + 0.88 * Math.sqrt(part);
function showScale() {
	const t = timeNow(), box = part => element("i", { style: `opacity:${heatAlpha(part)}` });

	heatScale.replaceChildren(element("span", {}, "0 s"),
		element("span", {}, `down: ${duration(t.column)}`, "; ",
			`color, ${shown().event || "samples"} in ${duration(t.column / t.rows)}: 1 `,
			...[0, 0.04, 0.16, 0.36, 0.64, 1].map(box), ` ${mostHeat.toLocaleString("en")}`),
		element("span", {}, duration(t.column * t.columns)));
}

function drawHeat() {
	const t = timeNow(), g = heat.getContext("2d"), scale = devicePixelRatio || 1;
	const w = heat.clientWidth / t.columns, h = HEAT_ROW * t.wantedRows / t.rows, height = HEAT_ROW * t.wantedRows;

	heat.style.height = height + "px";
	heat.width = heat.clientWidth * scale;
	heat.height = height * scale;
	g.setTransform(scale, 0, 0, scale, 0, 0);
	g.fillStyle = color("band");
	g.fillRect(0, 0, heat.clientWidth, height);
	g.fillStyle = color("accent");
	heats.forEach((sum, slot) => {
		if (!sum)
			return;
		g.globalAlpha = heatAlpha(sum / mostHeat);
		g.fillRect(Math.floor(slot / t.rows) * w, slot % t.rows * h, Math.max(w - (w > 3 ? 0.5 : 0), 0.5), h - 0.5);
	});
	g.globalAlpha = 1;
	g.strokeStyle = color("match");
	g.fillStyle = color("match");
	for (let slot = part ? part[0] : cursor; slot <= (part ? part[1] : cursor); slot++) {
		const x = Math.floor(slot / t.wantedRows) * w, y = slot % t.wantedRows * HEAT_ROW;

		g.globalAlpha = part ? 0.35 : 1;
		if (part)
			g.fillRect(x, y, w, HEAT_ROW);
		else if (document.activeElement == heat)
			g.strokeRect(x + 0.5, y + 0.5, Math.max(w - 1, 2), HEAT_ROW - 1);
	}
	g.globalAlpha = 1;
}

function drawLane(canvas, lane) {
	const t = timeNow(), g = canvas.getContext("2d"), scale = devicePixelRatio || 1, most = Math.max(...lane.columns, 1);
	const w = canvas.clientWidth / t.columns;

	canvas.width = canvas.clientWidth * scale;
	canvas.height = LANE_HEIGHT * scale;
	g.setTransform(scale, 0, 0, scale, 0, 0);
	g.fillStyle = color("band");
	g.fillRect(0, 0, canvas.clientWidth, LANE_HEIGHT);
	lane.columns.forEach((nr, c) => {
		const inside = part && c >= Math.floor(part[0] / t.wantedRows) && c <= Math.floor(part[1] / t.wantedRows);
		const h = nr ? Math.max(nr / most * LANE_HEIGHT, 1) : 0;

		g.fillStyle = color(inside ? "match" : "run");
		g.fillRect(c * w, LANE_HEIGHT - h, Math.max(w - (w > 3 ? 0.5 : 0), 0.5), h);
	});
}

/* ---- choosing */
let drawnLanes = [];

function drawTime() {
	if (!timed(shown()))
		return;
	drawHeat();
	showScale();
	for (const [canvas, lane] of drawnLanes)
		drawLane(canvas, lane);
}

/* the whole page shows this part of the time and this lane */
function choosePart(range) {
	const at = inverted ? 0 : zoomed;

	part = range;
	heats = heatOf(shown());
	mostHeat = heats.reduce((a, b) => Math.max(a, b), 1);
	open(+events.value);
	if (at && tree.total[at])
		zoom(at);
	graphChanged();
	showPart();
	drawTime();
}

function chooseLane(key) {
	chosenLane = key;
	for (const [, lane, row, button] of drawnLanes) {
		row.classList.toggle("chosen", laneKey(lane) == key);
		button.setAttribute("aria-pressed", laneKey(lane) == key);
	}
	choosePart(part);
}

const chooseEnds = () => choosePart([Math.min(cursor, anchor), Math.max(cursor, anchor)]);

/* which column of a picture that is as wide as the time */
const columnAt = (canvas, e) => Math.max(0, Math.min(timeNow().columns - 1,
	Math.floor(e.offsetX / canvas.clientWidth * timeNow().columns)));
function slotAt(e) {
	const row = Math.max(0, Math.min(timeNow().wantedRows - 1, Math.floor(e.offsetY / HEAT_ROW)));

	return columnAt(heat, e) * timeNow().wantedRows + row;
}

/*
 * pressing, moving and letting go chooses: slots with a mouse, whole columns with a finger or on a lane; clicked():
 * instead of a column, where the pointer did not move
 */
function chooseByPointer(canvas, describeAt, clicked) {
	let pressed = false, pressedAt = 0;
	const isClick = e => clicked && Math.abs(e.clientX - pressedAt) < 4;
	const whole = e => canvas != heat || e.pointerType == "touch", rows = () => timeNow().wantedRows;
	const first = e => whole(e) ? columnAt(canvas, e) * rows() : slotAt(e);
	const last = e => whole(e) ? columnAt(canvas, e) * rows() + rows() - 1 : slotAt(e);
	let from = 0, to = 0;

	canvas.addEventListener("pointerdown", e => {
		pressed = true;
		pressedAt = e.clientX;
		from = first(e);
		to = last(e);
	});
	canvas.addEventListener("pointermove", e => {
		showTip(describeAt(e), e.clientX, e.clientY);
		if (!pressed || isClick(e))
			return;
		part = [Math.min(from, first(e)), Math.max(to, last(e))];
		drawTime();
	});
	canvas.addEventListener("pointerup", e => {
		if (!pressed)
			return;
		pressed = false;
		if (isClick(e)) {
			clicked();
			return;
		}
		anchor = Math.min(from, first(e));
		cursor = Math.max(to, last(e));
		chooseEnds();
	});
	canvas.addEventListener("pointercancel", () => { pressed = false; });
	canvas.addEventListener("pointerleave", () => showTip(""));
}

function describeSlot(slot) {
	const t = timeNow(), sum = heats[Math.floor(slot / coarse(t))];

	return `${spanText([slot, slot])}: ${sum.toLocaleString("en")} (${(sum / Math.max(shown().total[0], 1) * 100).toFixed(3)} %)`;
}

heat.addEventListener("keydown", e => {
	const rows = timeNow().wantedRows;
	const steps = { ArrowLeft: -rows, ArrowRight: rows, ArrowUp: -1, ArrowDown: 1, Home: -cursor, End: timeNow().columns * rows };

	if (e.key == "Escape" && part)
		choosePart(null);
	else if (e.key == "Escape" && chosenLane)
		chooseLane("");
	else if (e.key == "Enter")
		chooseEnds();
	else if (!(e.key in steps))
		return;
	e.stopPropagation();
	e.preventDefault();
	if (!(e.key in steps))
		return;
	cursor = Math.max(0, Math.min(timeNow().columns * rows - 1, cursor + steps[e.key]));
	if (e.shiftKey) {
		chooseEnds();
	} else {
		anchor = cursor;
		if (part)
			choosePart(null);
		partText.textContent = describeSlot(cursor);
		drawTime();
	}
});
heat.addEventListener("focus", drawTime);
heat.addEventListener("blur", drawTime);
chooseByPointer(heat, e => describeSlot(slotAt(e)));

/* its name and its picture choose it, and once more all of them */
function laneRow(lane) {
	const name = laneName(lane), key = laneKey(lane), t = timeNow();
	const busiest = lane.columns.indexOf(Math.max(...lane.columns));
	const canvas = element("canvas", { role: "img", "aria-label":
		`${name}: ${lane.nr} sample${plural(lane.nr)}, most of them at ${duration(busiest * t.column)}` });
	const choose = hasLanes(t) ? () => chooseLane(chosenLane == key ? "" : key) : null;
	const button = element(choose ? "button" : "span", choose ? { class: "name link", "aria-pressed": chosenLane == key,
		title: "only " + name, onclick: choose } : { class: "name" }, name);
	const row = element("div", { class: chosenLane == key ? "lane chosen" : "lane" }, button,
		element("span", { class: "number" }, lane.nr.toLocaleString("en")), canvas);

	drawnLanes.push([canvas, lane, row, button]);
	chooseByPointer(canvas, e => {
		const c = columnAt(canvas, e);

		const nr = lane.columns[c];

		return `${name}\n${duration(c * t.column)}: ${nr.toLocaleString("en")} sample${plural(nr)}`;
	}, choose);
	return row;
}

/* the event changed */
function timeChanged() {
	const g = shown(), is = timed(g);

	showTimeButton();
	if (!is || laneIndex(g.time) < 0)
		chosenLane = "";
	heat.hidden = laneBox.hidden = heatScale.hidden = !is;
	heatBox.hidden = !!(g.time && g.time.spans);
	drawnLanes = [];
	laneList.replaceChildren();
	if (!is) {
		partText.textContent = g.time ? g.time.missing : "There is no timeline: stacks of text have no times.";
		wholeTime.hidden = allLanes.hidden = true;
		return;
	}
	heats = heatOf(g);
	mostHeat = heats.reduce((a, b) => Math.max(a, b), 1);
	laneList.append(...(g.time.noCpus ? [element("p", {}, g.time.noCpus)] : []),
		element("p", {}, hasLanes(g.time) ? "A click on a CPU or thread shows only its flame graph and functions; " +
			"another click shows all again. Drag over a part of the time." :
			"The flame graphs of single CPUs and threads were left out, so that this file stays small."),
		...g.time.lanes.map(laneRow));
	showPart();
	drawTime();
}
events.addEventListener("change", timeChanged);
addEventListener("resize", drawTime);
laneBox.firstChild.addEventListener("toggle", drawTime);
laneBox.firstChild.open = innerWidth > 700;
onTheme.push(drawTime);
timeChanged();
if (byTime)
	changed();
const linkPart = link.get("from") != null && link.get("to") != null;

if (timed(shown()) && (linkPart || link.get("lane"))) {
	const most = timeNow().columns * timeNow().wantedRows - 1;
	const ends = ["from", "to"].map(k => Math.max(0, Math.min(most, Math.floor(+link.get(k)) || 0)));

	[anchor, cursor] = ends[0] <= ends[1] ? ends : [ends[1], ends[0]];
	part = linkPart ? [anchor, cursor] : null;
	chosenLane = link.get("lane") || "";
	chooseLane(laneIndex(timeNow()) >= 0 ? chosenLane : "");
	/* an inverted tree has other nodes for each part of the time */
	if (+link.get("node") > 0 && +link.get("node") < tree.nr)
		zoom(+link.get("node"));
}
