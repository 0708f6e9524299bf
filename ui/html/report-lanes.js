/*
 * What each thread did, where samples are slices of elapsed time: a lane for each thread, colored by state. A pixel
 * in which a thread did several things shows the share of each. Slices are kept in columns of numbers, a lane after
 * the other. The flame graph and the functions show the chosen states of a chosen part of the time, of all threads,
 * one thread, or the critical path.
 */
const SPAN_ROW = 16, SPAN_SCALE = 18, SPAN_ALL = 34, SPAN_NAMES = 150, SPAN_BOX = 420, CELL_STATES = 5, PATH_LANE = "critical path";
const spanned = g => g.time && g.time.spans;
let lanesOf = null, spans = null;	/* the graph, and its slices */
let lookFrom = 0, lookTo = 1;		/* what is in sight, in ticks */
let spanPart = null;			/* [from, to] in ticks; null: all */
let spanLane = "";			/* name of a thread, or PATH_LANE; "": all */
let chosenSpan = -1, busiestFirst = false, asideStates = new Set();
let spanWork = 0;			/* slices and marks that the last picture or sum looked at */

function loadSpans(g) {
	const t = g.time, nr = t.spanGap.length, at = new Float64Array(nr), list = [];
	const numbers = (name, type) => t[name].length ? type.from(t[name]) : new type(nr);
	const s = { tick: t.tick, ticks: Math.max(t.ticks, 1), grain: t.grain, folded: t.folded, whole: t.whole, at, list, node: numbers("spanNode", Uint32Array),
		length: numbers("spanLength", Float64Array), busy: numbers("spanBusy", Float64Array),
		state: numbers("spanState", Uint8Array), detail: numbers("spanDetail", Uint8Array),
		isWindow: numbers("spanBusy", Float64Array).map(b => b ? 1 : 0),
		more: numbers("spanMore", Float64Array), other: numbers("spanOther", Uint32Array), mark: [] };
	let k = 0;

	t.lanes.forEach((lane, i) => {
		const l = { at: i, name: lane.others ? `${lane.others} more threads` : lane.name, first: k, end: k + t.spans[i], longest: 0,
			tid: lane.others ? Infinity : +lane.name.replace(/.* /, ""), own: 0 };

		for (let now = 0; k < l.end; k++) {
			at[k] = now + t.spanGap[k];
			now = at[k] + s.length[k];
			l.longest = Math.max(l.longest, s.length[k]);
			s.busy[k] = s.busy[k] ? s.busy[k] - 1 : s.length[k];
			l.own += asideStates.has(s.state[k]) ? 0 : s.busy[k];
		}
		list.push(l);
	});
	for (let i = 0, now = 0; i < t.mark.length; i += 3) {
		const from = now + t.mark[i + 1];

		now = from + t.mark[i + 2];
		if (t.mark[i] >= 2 && t.mark[i] - 2 < list.length)
			s.mark.push({ lane: list[t.mark[i] - 2], from, to: now });
	}
	s.cells = t.cells ? loadCells(t) : null;
	return s;
}

/* short slices as a picture: by lane the number of the shares of each cell, and these shares in tenths */
function loadCells(t) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-", value = new Uint8Array(128), shares = [];
	const all = new Float64Array(t.nrCells * CELL_STATES);

	for (let i = 0; i < letters.length; i++)
		value[letters.charCodeAt(i)] = i;
	for (let at = 0; at < 11 ** CELL_STATES; at++) {
		const share = [4, 3, 2, 1, 0].map(digit => Math.floor(at / 11 ** digit) % 11);

		if (share.reduce((a, b) => a + b, 0) <= 10)
			shares.push(...share.map(tenths => tenths / 10));
	}
	return { nr: t.nrCells, shares, all, lanes: t.cells.map(text => {
		const list = new Uint16Array(t.nrCells), number = i => value[text.charCodeAt(i)] << 6 | value[text.charCodeAt(i + 1)];

		for (let i = 0, at = 0; i < text.length; i += 2) {
			const times = text[i + 2] == "!" ? number(i + 3) : 1;

			list.fill(number(i), at, at + times);
			at += times;
			i += times > 1 ? 3 : 0;
		}
		for (let i = 0; i < t.nrCells; i++)
			for (let state = 0; state < CELL_STATES; state++)
				all[i * CELL_STATES + state] += shares[list[i] * CELL_STATES + state];
		return list;
	}) };
}

/* the first of n numbers that ascend that is not below this one */
function firstNotBelow(numberAt, low, high, value) {
	while (low < high) {
		const middle = (low + high) >> 1;

		if (numberAt(middle) < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
/* calls f(slice) for those of a lane that reach into a part of the time */
function eachSpan(lane, from, to, f) {
	for (let k = firstNotBelow(i => spans.at[i], lane.first, lane.end, from - lane.longest); k < lane.end && spans.at[k] < to; k++) {
		spanWork++;
		if (spans.at[k] + spans.length[k] > from)
			f(k);
	}
}
function eachMark(from, to, f) {
	for (let i = firstNotBelow(n => spans.mark[n].to, 0, spans.mark.length, from); i < spans.mark.length && spans.mark[i].from < to; i++) {
		spanWork++;
		f(spans.mark[i]);
	}
}

/* ---- sums for the flame graph */
function spanSums(g) {
	const self = new Float64Array(g.total.length), [from, to] = spanPart || [0, spans.ticks + 1];
	const add = (lane, first, last) => eachSpan(lane, first, last, k => {
		const inside = Math.min(spans.at[k] + spans.length[k], last) - Math.max(spans.at[k], first);

		if (!asideStates.has(spans.state[k]))
			self[spans.node[k]] += inside / spans.length[k] * spans.busy[k];
	});

	spanWork = 0;
	if (spans.whole && !spanPart && !spanLane)
		for (let i = 0; i < spans.whole.length; i += 3)
			self[spans.whole[i]] += asideStates.has(spans.whole[i + 1]) ? 0 : spans.whole[i + 2];
	else if (spanLane == PATH_LANE)
		eachMark(from, to, m => add(m.lane, Math.max(m.from, from), Math.min(m.to, to)));
	else
		spans.list.filter(l => !spanLane || l.name == spanLane).forEach(l => add(l, from, to));
	return withSums(g, Array.from(self, v => Math.round(v * spans.tick)));
}
const narrowSlots = narrow;
narrow = g => {
	if (!spanned(g))
		return narrowSlots(g);
	if (lanesOf != g) {
		lanesOf = g;
		spans = loadSpans(g);
		lookFrom = 0;
		lookTo = spans.ticks;
	}
	return spanSums(g);
};

/* ---- elements */
const lanes = element("canvas", { id: "lanes-picture", tabindex: "0", role: "application", "aria-describedby": "lane-text", "aria-label":
	"What threads did over time. Arrow keys move and choose threads, + and - zoom, n and p step through slices, " +
	"w goes to the waker, Enter zooms to the chosen part, Escape goes back." });
const lanesInner = element("div", { id: "lanes-inner" }, lanes);
const lanesScroll = element("div", { id: "lanes-scroll" }, lanesInner);
const laneText = element("p", { id: "lane-text", "aria-live": "polite" });
const lanesMissing = element("p", { class: "missing" });
const stateButtons = element("span", { class: "legend" });
const toPart = element("button", { onclick: () => look(...spanPart), title: "zoom to the chosen part (Enter)" }, "zoom to part");
const wholeSpan = element("button", { onclick: () => { look(0, spans.ticks); pickPart(null); } }, "whole time");
const allThreads = element("button", { onclick: () => pickLane("") }, "all threads");
const onlyPath = element("button", { onclick: () => pickLane(spanLane == PATH_LANE ? "" : PATH_LANE),
	title: "what decided how long it took" }, PATH_LANE);
const byBusy = element("button", { onclick: () => { busiestFirst = !busiestFirst; orderLanes(); }, "aria-pressed": "false" }, "busiest first");
const lanesBox = element("section", { id: "threads" }, element("h2", {}, "Threads over time"), lanesMissing, stateButtons,
	element("p", {}, byBusy, " ", onlyPath, " ", allThreads, " ", toPart, " ", wholeSpan), lanesScroll, laneText,
	element("p", { class: "hint" }, "Drag over a part of the time, click on the name of a thread, or leave states out: the flame graph and " +
		"the functions follow. A click on a slice shows what it was, with an arrow from the thread that ended it. Ctrl and the wheel " +
		"zoom, Shift and the wheel move; the line in lanes is the critical path."));
let laneOrder = [], allPicture = null;

heatBox.before(lanesBox);

function orderLanes() {
	laneOrder = [...spans.list].sort((a, b) => (busiestFirst ? b.own - a.own : 0) || a.tid - b.tid);
	laneOrder.forEach((l, i) => { l.row = i; });
	byBusy.setAttribute("aria-pressed", busiestFirst);
	drawLanes();
}

/* ---- drawing */
let lanesWidth = 0, lanesPending = false;
const spanX = time => SPAN_NAMES + (time - lookFrom) / (lookTo - lookFrom) * (lanesWidth - SPAN_NAMES);
const spanTime = x => lookFrom + (x - SPAN_NAMES) / (lanesWidth - SPAN_NAMES) * (lookTo - lookFrom);
const laneTop = lane => SPAN_SCALE + SPAN_ALL + lane.row * SPAN_ROW;
const spanColor = state => tintColor(tints.rows[state], isDark() ? 42 : 62);

/* adds to each pixel and state of what is in sight the share of the pixel that this takes */
function addPixels(into, nr, from, to, state, rate) {
	const scale = nr / (lookTo - lookFrom), a = Math.max((from - lookFrom) * scale, 0), b = Math.min((to - lookFrom) * scale, nr);
	const first = Math.floor(a), last = Math.min(Math.floor(b), nr - 1), states = tints.rows.length;

	for (let x = first; x <= last; x++)
		into[x * states + state] += (x == first || x == last ? Math.min(b, x + 1) - Math.max(a, x) : 1) * rate;
}
/* short slices: shareOf(cell, state) */
function addCells(into, nr, shareOf) {
	const cell = (spans.ticks + 1) / spans.cells.nr, end = Math.min(Math.ceil(lookTo / cell), spans.cells.nr);

	for (let i = Math.max(Math.floor(lookFrom / cell), 0); i < end; i++)
		for (let state = 0; state < tints.rows.length; state++)
			if (shareOf(i, state))
				addPixels(into, nr, i * cell, (i + 1) * cell, state, shareOf(i, state));
}
function addLane(lane, into, nr) {
	eachSpan(lane, lookFrom, lookTo, k => {
		if (!spans.cells || !spans.isWindow[k])
			addPixels(into, nr, spans.at[k], spans.at[k] + spans.length[k], spans.state[k], spans.busy[k] / spans.length[k]);
	});
}
function pixelsOf(lane, nr) {
	const pixel = new Float64Array(nr * tints.rows.length), list = spans.cells && spans.cells.lanes[lane.at];

	addLane(lane, pixel, nr);
	if (list)
		addCells(pixel, nr, (i, state) => spans.cells.shares[list[i] * CELL_STATES + state]);
	return pixel;
}
/* of all threads: it depends only on what is in sight */
function allPixels(nr) {
	const key = [lookFrom, lookTo, nr].join();

	if (allPicture && allPicture.key == key)
		return allPicture.pixel;
	allPicture = { key, pixel: new Float64Array(nr * tints.rows.length) };
	spans.list.forEach(l => addLane(l, allPicture.pixel, nr));
	if (spans.cells)
		addCells(allPicture.pixel, nr, (i, state) => spans.cells.all[i * CELL_STATES + state]);
	return allPicture.pixel;
}

/* states as a picture: a column of pixels is divided by shares; what a thread did for a moment is a pixel high */
const picture = document.createElement("canvas");
function drawPixels(image, words, pixel, top, height, whole) {
	const nr = image.width, states = tints.rows.length, bottom = Math.min(top + height, image.height), out = new Uint32Array(image.data.buffer);

	for (let x = 0; x < nr; x++) {
		let y = bottom, all = whole;

		for (let i = 0, sum = 0; i < states; i++) {
			sum += pixel[x * states + i];
			all = Math.max(all, sum);
		}
		for (let i = 0; i < states; i++) {
			const share = pixel[x * states + i] / all, h = share > 1e-9 ? Math.max(Math.round(share * height), share * whole > 0.0005 ? 1 : 0) : 0;

			for (const end = Math.max(y - h, top, 0); y > end; y--)
				out[(y - 1) * nr + x] = words[i];
		}
	}
}
/* colors as words of an image */
function stateWords(g) {
	return tints.rows.map((_, i) => {
		g.fillStyle = spanColor(i);
		const n = parseInt(g.fillStyle.slice(1), 16);

		return (0xff000000 | (n & 0xff) << 16 | (n & 0xff00) | n >> 16) >>> 0;
	});
}

function drawSpanScale(g) {
	const wanted = (lookTo - lookFrom) * spans.tick / Math.max((lanesWidth - SPAN_NAMES) / 110, 1);
	let step = Math.pow(10, Math.ceil(Math.log10(Math.max(wanted, 1))));

	step = step / 5 >= wanted && step >= 10 ? step / 5 : step / 2 >= wanted && step >= 10 ? step / 2 : step;
	g.fillStyle = color("dim");
	for (let at = Math.ceil(lookFrom * spans.tick / step) * step; at <= lookTo * spans.tick; at += step) {
		g.fillRect(Math.round(spanX(at / spans.tick)), 0, 1, SPAN_SCALE);
		g.fillText(duration(at), spanX(at / spans.tick) + 3, 12);
	}
}
const isSeen = (lane, top, bottom) => laneTop(lane) + SPAN_ROW > top + SPAN_SCALE + SPAN_ALL && laneTop(lane) < bottom;

/* the critical path: a line in the lane of each part, and to the lane of the next one */
function drawPath(g, top, bottom) {
	const y = lane => Math.min(Math.max(laneTop(lane) - top + SPAN_ROW - 2, SPAN_SCALE + SPAN_ALL), bottom - top);
	let before = null, drawn = -1;

	g.strokeStyle = color("match");
	g.lineWidth = 2;
	g.beginPath();
	eachMark(lookFrom, lookTo, m => {
		const a = Math.max(spanX(m.from), SPAN_NAMES), b = Math.min(Math.max(spanX(m.to), a + 1), lanesWidth);

		/* of parts in one pixel the last one goes on */
		if (b - drawn >= 1 || !before) {
			g.moveTo(a, before ? y(before) : y(m.lane));
			g.lineTo(a, y(m.lane));
			if (isSeen(m.lane, top, bottom))
				g.lineTo(b, y(m.lane));
			drawn = b;
		}
		before = m.lane;
	});
	g.stroke();
	g.lineWidth = 1;
}

const laneOfSpan = k => spans.list.find(l => k >= l.first && k < l.end);
/* waits end when somebody wakes the thread; a thread begins with that */
const spanIsWait = k => spans.detail[k] > 0;
const wakeTime = k => spans.at[k] + (spanIsWait(k) ? spans.length[k] : 0);
const wakerLane = k => spans.other[k] >= 2 && spans.other[k] - 2 < spans.list.length ? spans.list[spans.other[k] - 2] : null;

function drawChosenSpan(g, top) {
	const lane = laneOfSpan(chosenSpan), from = wakerLane(chosenSpan), y = laneTop(lane) - top;
	const a = Math.max(spanX(spans.at[chosenSpan]), SPAN_NAMES);
	const b = Math.min(spanX(spans.at[chosenSpan] + spans.length[chosenSpan]), lanesWidth);

	g.strokeStyle = color("text");
	if (b > SPAN_NAMES && a < lanesWidth)
		g.strokeRect(a + 0.5, y + 0.5, Math.max(b - a - 1, 1), SPAN_ROW - 2);
	if (!from || from == lane)
		return;
	const x = spanX(wakeTime(chosenSpan)), down = from.row < lane.row ? 1 : -1, end = y + (down > 0 ? 0 : SPAN_ROW);

	if (x < SPAN_NAMES || x > lanesWidth)
		return;
	g.strokeStyle = g.fillStyle = color("accent");
	g.lineWidth = 2;
	g.beginPath();
	g.moveTo(x, laneTop(from) - top + SPAN_ROW / 2);
	g.lineTo(x, end);
	g.stroke();
	g.lineWidth = 1;
	g.beginPath();
	g.moveTo(x, end);
	g.lineTo(x - 4, end - 7 * down);
	g.lineTo(x + 4, end - 7 * down);
	g.fill();
	document.body.dataset.arrow = `${from.name} to ${lane.name} at ${duration(wakeTime(chosenSpan) * spans.tick)}`;
}

function drawSelectedPart(g, height) {
	const x = spanPart.map(t => Math.min(Math.max(spanX(t), SPAN_NAMES), lanesWidth));

	g.globalAlpha = 0.55;
	g.fillStyle = color("page");
	g.fillRect(SPAN_NAMES, 0, x[0] - SPAN_NAMES, height);
	g.fillRect(x[1], 0, lanesWidth - x[1], height);
	g.globalAlpha = 1;
	g.strokeStyle = color("accent");
	g.strokeRect(x[0], 0.5, x[1] - x[0], height - 1);
}

/* only lanes in sight are drawn; the scale and the sum of all threads stay at the top */
function drawLanes() {
	if (!spanned(shown()))
		return;
	const g = lanes.getContext("2d"), scale = devicePixelRatio || 1, top = lanesScroll.scrollTop;
	const height = Math.min(SPAN_BOX, SPAN_SCALE + SPAN_ALL + laneOrder.length * SPAN_ROW), bottom = top + height;

	lanesPending = false;
	spanWork = 0;
	lanesScroll.style.height = height + 2 + "px";
	lanesInner.style.height = SPAN_SCALE + SPAN_ALL + laneOrder.length * SPAN_ROW + "px";
	lanesWidth = lanesInner.clientWidth;
	const nr = Math.max(Math.floor(lanesWidth - SPAN_NAMES), 1);

	lanes.style.height = height + "px";
	lanes.width = lanesWidth * scale;
	lanes.height = height * scale;
	g.setTransform(scale, 0, 0, scale, 0, 0);
	g.font = "11px system-ui, sans-serif";
	g.fillStyle = color("page");
	g.fillRect(0, 0, lanesWidth, height);
	const seen = laneOrder.filter(lane => isSeen(lane, top, bottom)), head = SPAN_SCALE + SPAN_ALL;
	const image = g.createImageData(nr, height), words = stateWords(g);

	for (const lane of seen) {
		const y = laneTop(lane) - top;

		g.fillStyle = color("band");
		g.fillRect(SPAN_NAMES, y, lanesWidth, SPAN_ROW - 2);
		drawPixels(image, words, pixelsOf(lane, nr), Math.floor(y), SPAN_ROW - 2, 1);
		g.save();
		g.beginPath();
		g.rect(0, y, SPAN_NAMES - 4, SPAN_ROW);
		g.clip();
		g.font = (lane.name == spanLane ? "bold " : "") + "11px system-ui, sans-serif";
		g.fillStyle = color(lane.name == spanLane ? "match" : "text");
		g.fillText(lane.name, 4, y + 11);
		g.restore();
	}
	picture.width = nr;
	picture.height = height;
	picture.getContext("2d").putImageData(image, 0, 0);
	g.drawImage(picture, SPAN_NAMES, 0, nr, height);
	drawPath(g, top, bottom);
	g.fillStyle = color("page");
	g.fillRect(0, 0, lanesWidth, head);
	image.data.fill(0, 0, head * nr * 4);
	drawPixels(image, words, allPixels(nr), SPAN_SCALE, SPAN_ALL - 4, spans.list.length);
	picture.getContext("2d").putImageData(image, 0, 0);
	g.drawImage(picture, 0, 0, nr, head, SPAN_NAMES, 0, nr, head);
	drawSpanScale(g);
	g.fillStyle = color("text");
	g.fillText(`all ${laneOrder.length} thread${plural(laneOrder.length)}`, 4, SPAN_SCALE + 18);
	delete document.body.dataset.arrow;
	if (chosenSpan >= 0)
		drawChosenSpan(g, top);
	if (spanPart)
		drawSelectedPart(g, height);
	/* for those who test, and for scripts */
	Object.assign(document.body.dataset, { lanesDrawn: seen.length, laneWork: spanWork });
}
function redrawLanes() {
	if (!lanesPending)
		requestAnimationFrame(drawLanes);
	lanesPending = true;
}

/* ---- choosing */
function look(from, to) {
	const length = Math.min(Math.max(to - from, Math.min(50, spans.ticks)), spans.ticks);

	lookFrom = Math.max(0, Math.min(from, spans.ticks - length));
	lookTo = lookFrom + length;
	changed();
	redrawLanes();
}
function zoomLanes(factor, x) {
	const at = x == null ? (lookFrom + lookTo) / 2 : spanTime(Math.max(x, SPAN_NAMES));

	look(at - (at - lookFrom) * factor, at + (lookTo - at) * factor);
}
const partName = ([from, to]) => `${duration(from * spans.tick)} to ${duration(to * spans.tick)}`;

/* the stack of a slice: the innermost functions, and where the program called them */
function spanStack(k) {
	const names = [];

	for (let i = spans.node[k]; i > 0; i = graph.parent[i])
		if (graph.module[i])
			names.push(graph.texts[graph.name[i]]);
	return names.length > 14 ? [...names.slice(0, 10), "\u2026", ...names.slice(-3)] : names;
}
function describeSpan(k) {
	const t = shown().time, other = spans.other[k], from = spans.at[k] * spans.tick;
	const by = other == 1 ? "an interrupt" : other >= 2 ? wakerLane(k) ? wakerLane(k).name : t.others[other - 2 - spans.list.length] : "";
	const state = tints.rows[spans.state[k]][0], lane = laneOfSpan(k).name;

	if (spans.more[k] || spans.busy[k] < spans.length[k] * 0.99)
		return `${lane}: ${state} for ${duration(spans.busy[k] * spans.tick)} in ${spans.more[k] + 1} slice${plural(spans.more[k] + 1)}` +
			`, from ${duration(from)} to ${duration(from + spans.length[k] * spans.tick)}`;
	return `${lane}: ${state} for ${duration(spans.length[k] * spans.tick)} at ${duration(from)}` +
		(spanIsWait(k) ? `, for ${t.details[spans.detail[k]]}` : "") + (by ? spanIsWait(k) ? `, woken by ${by}` : `, begun by ${by}` : "");
}
function describeLanes() {
	const all = Math.max(shown().total[0], 1);
	const what = [spanLane, spanPart ? partName(spanPart) : ""].filter(x => x);
	const stack = chosenSpan >= 0 ? spanStack(chosenSpan) : [];

	laneText.textContent = [chosenSpan >= 0 ? describeSpan(chosenSpan) + (stack.length ? "\n" + stack.join(" \u2190 ") : "") : "",
		what.length ? `${what.join(", ")}: ${duration(graph.total[0])} in the chosen states; the flame graph and the functions show this part, ` +
		"and shares are shares of it." : ""].filter(x => x).join("\n") || (spans.grain ?
		`Slices shorter than ${duration(spans.grain * spans.tick)} are added up in steps of this length, so that this file stays small.` +
		(spans.folded ? " In a part of the time, small sums of a step count for their callers." : "") : "");
	toPart.hidden = !spanPart;
	wholeSpan.hidden = !spanPart && lookFrom == 0 && lookTo == spans.ticks;
	allThreads.hidden = !spanLane;
	onlyPath.hidden = !spans.mark.length;
	onlyPath.setAttribute("aria-pressed", spanLane == PATH_LANE);
	Object.assign(document.body.dataset, { part: spanPart ? spanPart.map(Math.round).join("-") : "", lane: spanLane, sum: graph.total[0],
		share: (graph.total[0] / all).toFixed(4), span: chosenSpan >= 0 ? describeSpan(chosenSpan) : "", sumWork: spanWork });
}
function showStates() {
	stateButtons.replaceChildren(...tints.rows.map(([title], i) => element("button", { "aria-pressed": !asideStates.has(i),
		title: "count it or leave it out", onclick: () => { asideStates.has(i) ? asideStates.delete(i) : asideStates.add(i); picked(); } },
		element("i", { style: "background:" + spanColor(i) }), title)));
}

/* the whole page shows what is chosen */
function picked() {
	const at = inverted ? 0 : zoomed;

	open(+events.value);
	if (at && tree.total[at])
		zoom(at);
	graphChanged();
	showStates();
	describeLanes();
	redrawLanes();
}
function pickPart(range) {
	spanPart = range;
	picked();
}
function pickLane(name) {
	spanLane = name;
	picked();
}
function pickSpan(k) {
	const lane = k >= 0 && laneOfSpan(k);

	chosenSpan = k;
	if (lane && (laneTop(lane) < lanesScroll.scrollTop + SPAN_SCALE + SPAN_ALL || laneTop(lane) + SPAN_ROW > lanesScroll.scrollTop + lanesScroll.clientHeight))
		lanesScroll.scrollTop = laneTop(lane) - SPAN_BOX / 2;
	if (k >= 0 && (spans.at[k] > lookTo || spans.at[k] + spans.length[k] < lookFrom))
		look(spans.at[k] - (lookTo - lookFrom) / 2, spans.at[k] + (lookTo - lookFrom) / 2);
	describeLanes();
	redrawLanes();
}
/* the slice of a lane that is nearest to a time, of those in a window the longest; -1 */
function spanAt(lane, time) {
	let best = -1, distance = Infinity;
	const near = (lookTo - lookFrom) / Math.max(lanesWidth - SPAN_NAMES, 1) * 2;

	eachSpan(lane, time - near, time + near, k => {
		const d = Math.max(spans.at[k] - time, time - spans.at[k] - spans.length[k], 0);

		if (d < distance || (d == distance && best >= 0 && spans.busy[k] > spans.busy[best])) {
			best = k;
			distance = d;
		}
	});
	return best;
}
/* what the waker did when it ended the wait */
function goToWaker() {
	const lane = chosenSpan >= 0 && wakerLane(chosenSpan);
	let at = -1;

	if (lane)
		eachSpan(lane, wakeTime(chosenSpan) - 1, wakeTime(chosenSpan), k => { at = k; });
	if (at >= 0)
		pickSpan(at);
}
function stepSpan(by) {
	const lane = chosenSpan >= 0 && laneOfSpan(chosenSpan), k = chosenSpan + by;

	if (lane && k >= lane.first && k < lane.end)
		pickSpan(k);
}
function stepLane(by) {
	const at = laneOrder.findIndex(l => l.name == spanLane), next = laneOrder[at < 0 ? by < 0 ? laneOrder.length - 1 : 0 : at + by];

	pickLane(next ? next.name : "");
	if (next && (laneTop(next) < lanesScroll.scrollTop + SPAN_SCALE + SPAN_ALL || laneTop(next) + SPAN_ROW > lanesScroll.scrollTop + SPAN_BOX))
		lanesScroll.scrollTop = laneTop(next) - SPAN_BOX / 2;
}

/* ---- events */
const laneAt = e => e.offsetY < SPAN_SCALE + SPAN_ALL ? null :
	laneOrder[Math.floor((e.offsetY + lanesScroll.scrollTop - SPAN_SCALE - SPAN_ALL) / SPAN_ROW)] || null;
const timeAt = e => Math.round(Math.max(0, Math.min(spans.ticks, spanTime(e.offsetX))));
let lanesPressed = null;		/* { x, time } */

lanes.addEventListener("pointerdown", e => { lanesPressed = e.offsetX >= SPAN_NAMES ? { x: e.offsetX, time: timeAt(e) } : null; });
lanes.addEventListener("pointermove", e => {
	const lane = laneAt(e), k = lane && e.offsetX >= SPAN_NAMES ? spanAt(lane, timeAt(e)) : -1;

	if (lanesPressed && Math.abs(e.offsetX - lanesPressed.x) > 3) {
		spanPart = [Math.min(lanesPressed.time, timeAt(e)), Math.max(lanesPressed.time, timeAt(e))];
		redrawLanes();
	}
	showTip(k >= 0 ? describeSpan(k) : lane ? lane.name : "", e.clientX, e.clientY);
});
lanes.addEventListener("pointerup", e => {
	const lane = laneAt(e), pressed = lanesPressed;

	lanesPressed = null;
	if (e.offsetX < SPAN_NAMES)
		pickLane(lane && lane.name != spanLane ? lane.name : "");
	else if (pressed && Math.abs(e.offsetX - pressed.x) > 3)
		pickPart([Math.min(pressed.time, timeAt(e)), Math.max(pressed.time, timeAt(e))]);
	else if (pressed)
		pickSpan(lane ? spanAt(lane, timeAt(e)) : -1);
});
lanes.addEventListener("pointerleave", () => showTip(""));
lanes.addEventListener("pointercancel", () => { lanesPressed = null; });
lanesScroll.addEventListener("wheel", e => {
	const by = (e.deltaX || (e.shiftKey ? e.deltaY : 0)) / Math.max(lanesWidth - SPAN_NAMES, 1) * (lookTo - lookFrom);

	if (e.ctrlKey)
		zoomLanes(e.deltaY < 0 ? 0.7 : 1 / 0.7, e.offsetX);
	else if (by)
		look(lookFrom + by, lookTo + by);
	else
		return;
	e.preventDefault();
}, { passive: false });
lanesScroll.addEventListener("scroll", redrawLanes);
const laneKeys = {
	ArrowLeft: () => look(lookFrom - (lookTo - lookFrom) / 8, lookTo - (lookTo - lookFrom) / 8),
	ArrowRight: () => look(lookFrom + (lookTo - lookFrom) / 8, lookTo + (lookTo - lookFrom) / 8),
	ArrowUp: () => stepLane(-1), ArrowDown: () => stepLane(1), "+": () => zoomLanes(0.7), "-": () => zoomLanes(1 / 0.7),
	Enter: () => spanPart && look(...spanPart), 0: () => look(0, spans.ticks), n: () => stepSpan(1), p: () => stepSpan(-1), w: goToWaker,
	Escape: () => chosenSpan >= 0 ? pickSpan(-1) : spanPart ? pickPart(null) : spanLane ? pickLane("") : look(0, spans.ticks),
};
lanes.addEventListener("keydown", e => {
	if (e.ctrlKey || e.metaKey || e.altKey || !laneKeys[e.key])
		return;
	laneKeys[e.key]();
	e.stopPropagation();
	e.preventDefault();
});

/* ---- the address, and the beginning */
const fragmentOf = Object.fromEntries(["from", "to", "lane"].map(k => [k, moreFragment[k]]));
const wholeLook = () => lookFrom == 0 && lookTo == spans.ticks;
Object.assign(moreFragment, {
	from: () => spanned(shown()) ? spanPart ? Math.round(spanPart[0] * spans.tick) : "" : fragmentOf.from(),
	to: () => spanned(shown()) ? spanPart ? Math.round(spanPart[1] * spans.tick) : "" : fragmentOf.to(),
	lane: () => spanned(shown()) ? spanLane : fragmentOf.lane(),
	left: () => spans && !wholeLook() ? Math.round(lookFrom * spans.tick) : "",
	right: () => spans && !wholeLook() ? Math.round(lookTo * spans.tick) : "",
	without: () => spans && tints.rows.some((row, i) => asideStates.has(i) != row[3]) ? [...asideStates].sort().join(".") || "none" : "",
});
function lanesChanged() {
	const is = spanned(shown());

	lanesBox.hidden = !is;
	if (!is)
		return;
	lanesMissing.textContent = factOf("wall-missing") || "";
	lanesMissing.hidden = !lanesMissing.textContent;
	orderLanes();
	picked();
}
if (tints)
	tints.rows.forEach((row, i) => row[3] && asideStates.add(i));
if (spanned(shown())) {
	if (link.get("without"))
		asideStates = new Set(link.get("without").split(".").map(Number).filter(i => i < tints.rows.length && i >= 0));
	narrow(shown());
	const [from, to, left, right] = ["from", "to", "left", "right"].map(k => link.get(k) == null ? NaN : +link.get(k) / spans.tick);

	if (from >= 0 && to > from)
		spanPart = [from, to];
	spanLane = spans.list.some(l => l.name == link.get("lane")) || link.get("lane") == PATH_LANE ? link.get("lane") : "";
	if (left >= 0 && right > left)
		[lookFrom, lookTo] = [left, Math.min(right, spans.ticks)];
}
lanesChanged();
events.addEventListener("change", lanesChanged);
addEventListener("resize", redrawLanes);
onTheme.push(() => { if (spans) { showStates(); redrawLanes(); } });
