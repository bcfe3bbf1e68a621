// Runs in the page; its value is the Observation of observe.ts. The browser's own hit test says what
// lies on top at a point, so that clipping, scrolling, stacking and transforms need no rules here.
(() => {
  // What lies over a word and hides at least this much of it is a scrim or a sheet.
  const HIDING_ALPHA = 0.2;
  const FAINTEST_OPACITY = 0.15;
  const BLUR_TOO_STRONG_PX = 2;
  // Of the nine points of a word, how many must be seen for the word to be read whole.
  const POINTS_SEEN = 7;
  const GRID_STEP_PX = 12;
  const LEAST_BUTTON_AREA_PX2 = 400;
  // Below it a filled control is grey.
  const LEAST_CHROMA = 0.2;
  const ICON_FONT = /icon|symbols|awesome|glyph|codicon|remix/i;
  const PICTURES = new Set(['IMG', 'VIDEO', 'CANVAS', 'PICTURE', 'OBJECT', 'EMBED']);
  const TEXT_INPUTS = new Set([
    'text',
    'search',
    'email',
    'url',
    'tel',
    'number',
    'button',
    'submit',
    'reset',
  ]);

  const styles = new Map();
  const styleOf = (element, pseudo = '') => {
    let known = styles.get(element);
    if (!known) styles.set(element, (known = {}));
    return (known[pseudo] ??= element.ownerDocument.defaultView.getComputedStyle(element, pseudo || null));
  };
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  /** The element a text is in; for text right under a shadow root, the root's host. */
  const ownerOf = (text) => text.parentElement ?? text.getRootNode().host;
  const within = (box, x, y) => x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  // Not instanceof: an element in a frame is of another window's class.
  const isSvg = (element) => element.namespaceURI === 'http://www.w3.org/2000/svg';
  const encloses = (outer, inner) => {
    for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  };

  // ---- colours -------------------------------------------------------------------------------

  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const colours = new Map();
  /** Any CSS colour as [red, green, blue] of 0..255 and alpha of 0..1. */
  const parse = (css) => {
    let colour = colours.get(css);
    if (!colour) {
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = css;
      pixel.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
      colours.set(css, (colour = [red, green, blue, alpha / 255]));
    }
    return colour;
  };
  const hex = ([red, green, blue]) =>
    `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
  const chroma = ([red, green, blue]) => (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255;
  /** A gradient hides as much as its stops do on average, a picture everything. */
  const imageAlpha = (css) => {
    if (css === 'none') return 0;
    if (css.includes('url(')) return 1;
    const stops = css.match(/(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^()]*\)/g) ?? [];
    return stops.reduce((sum, stop) => sum + parse(stop)[3], 0) / Math.max(1, stops.length);
  };

  const opacities = new Map();
  const opacityOf = (element) => {
    if (!element) return 1;
    let opacity = opacities.get(element);
    if (opacity === undefined) {
      const style = styleOf(element);
      const blur = /blur\(([\d.]+)px\)/.exec(style.filter);
      opacity =
        blur && Number(blur[1]) >= BLUR_TOO_STRONG_PX
          ? 0
          : Number(style.opacity) * opacityOf(parentOf(element));
      opacities.set(element, opacity);
    }
    return opacity;
  };

  const paints = new Map();
  /** What an element itself paints: a colour over which nothing, or a picture, or neither. */
  const paintOf = (element, pseudo = '') => {
    let known = paints.get(element);
    if (!known) paints.set(element, (known = {}));
    return (known[pseudo] ??= computePaint(element, pseudo));
  };
  const computePaint = (element, pseudo) => {
    const style = styleOf(element, pseudo);
    const opacity = opacityOf(element) * (pseudo ? Number(style.opacity) : 1);
    if (!pseudo && PICTURES.has(element.tagName))
      return {
        colour: [0, 0, 0, 0],
        picture: element.tagName === 'CANVAS' ? 'clear' : 'solid',
        hides: element.tagName === 'CANVAS' ? 0 : opacity,
      };
    if (!pseudo && isSvg(element) && element.tagName !== 'svg') {
      const alpha = /^(none|url)/.test(style.fill) ? 0 : parse(style.fill)[3] * Number(style.fillOpacity);
      return { colour: [0, 0, 0, 0], picture: 'solid', hides: alpha * opacity };
    }
    const [red, green, blue, alpha] = parse(style.backgroundColor);
    const clippedToText =
      style.backgroundClip.includes('text') || style.webkitBackgroundClip?.includes('text');
    if (clippedToText) return { colour: [0, 0, 0, 0], picture: null, hides: 0 };
    const image = imageAlpha(style.backgroundImage);
    const frosted = style.backdropFilter.includes('blur') ? 1 : 0;
    return {
      colour: [red, green, blue, alpha * opacity],
      picture: image * opacity > 0.05 ? 'solid' : null,
      hides: Math.max(alpha, image, frosted) * opacity,
    };
  };

  /** What the pseudo-elements of a positioned element hide at a point; the hit test cannot tell them apart. */
  const pseudoHides = (element, x, y) => {
    let hides = 0;
    if (styleOf(element).position === 'static') return 0;
    const box = element.getBoundingClientRect();
    for (const pseudo of ['::before', '::after']) {
      const style = styleOf(element, pseudo);
      if (style.content === 'none' || !['absolute', 'fixed'].includes(style.position)) continue;
      if (Number.parseInt(style.zIndex, 10) < 0) continue;
      const left = box.left + element.clientLeft + Number.parseFloat(style.left);
      const top = box.top + element.clientTop + Number.parseFloat(style.top);
      const width = Number.parseFloat(style.width);
      const height = Number.parseFloat(style.height);
      if (within(new DOMRect(left, top, width, height), x, y))
        hides = Math.max(hides, paintOf(element, pseudo).hides);
    }
    return hides;
  };

  // ---- what can be seen ----------------------------------------------------------------------

  /** How much of a point of `element` others hide, 0..1; 1 too where the point is clipped away. */
  const hiddenAt = (element, x, y) => {
    const root = element.getRootNode();
    let shown = 1;
    for (const over of root.elementsFromPoint(x, y)) {
      if (over === element) return hostHidden(element, x, y, shown * (1 - pseudoHides(element, x, y)));
      if (encloses(over, element)) {
        // An ancestor above its own content is a pseudo-element laid over it.
        shown *= 1 - pseudoHides(over, x, y);
      } else {
        shown *= 1 - Math.max(paintOf(over).hides, pseudoHides(over, x, y));
        for (const inner of over.shadowRoot?.elementsFromPoint(x, y) ?? [])
          if (inner.getRootNode() === over.shadowRoot) shown *= 1 - paintOf(inner).hides;
      }
      if (1 - shown >= HIDING_ALPHA) return 1;
    }
    return 1;
  };
  /** Carries the question on to the document around, for an element in a frame. */
  const hostHidden = (element, x, y, shown) => {
    const frame = element.ownerDocument.defaultView.frameElement;
    if (!frame) return 1 - shown;
    const box = frame.getBoundingClientRect();
    return Math.max(
      1 - shown,
      hiddenAt(frame, x + box.left + frame.clientLeft, y + box.top + frame.clientTop),
    );
  };
  const seenPoints = (element, rect) => {
    let seen = 0;
    for (const across of [0.1, 0.5, 0.9])
      for (const down of [0.25, 0.5, 0.75])
        if (hiddenAt(element, rect.left + rect.width * across, rect.top + rect.height * down) < HIDING_ALPHA)
          seen++;
    return seen;
  };
  const legible = (element) => {
    const style = styleOf(element);
    if (style.visibility !== 'visible' || opacityOf(element) < FAINTEST_OPACITY) return false;
    if (ICON_FONT.test(style.fontFamily.split(',')[0])) return false;
    if (style.webkitBackgroundClip === 'text' || style.backgroundClip === 'text') return true;
    const ink = isSvg(element) ? style.fill : style.webkitTextFillColor || style.color;
    return (
      ink.startsWith('url') || (ink !== 'none' && parse(ink)[3] * opacityOf(element) >= FAINTEST_OPACITY)
    );
  };

  // ---- words ---------------------------------------------------------------------------------

  const words = [];
  let last = null;
  const cased = (text, style) => {
    if (style.textTransform === 'uppercase') return text.toUpperCase();
    if (style.textTransform === 'lowercase') return text.toLowerCase();
    if (style.textTransform === 'capitalize')
      return text.replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase());
    return text;
  };
  /** Signs, emoji and the private glyphs of icon fonts are no words. */
  const readable = (text) =>
    text.replace(/[\p{Extended_Pictographic}\p{Co}\p{Cf}]/gu, (sign) => (/\d/.test(sign) ? sign : ''));
  const add = (text, style, rect) => {
    const word = cased(readable(text), style);
    if (word === '') return;
    // "<b>12</b>th" is one word: nothing lies between its parts.
    const gap = last && rect ? rect.left - last.right : Infinity;
    const level =
      last &&
      rect &&
      Math.min(rect.bottom, last.bottom) - Math.max(rect.top, last.top) >
        Math.min(rect.height, last.height) / 2;
    if (level && Math.abs(gap) < 0.75) words[words.length - 1] += word;
    else words.push(word);
    last = rect;
  };

  const rangeRects = (range) =>
    [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
  const readTextNode = (node, shownBy = ownerOf(node), clip = null) => {
    const range = node.ownerDocument.createRange();
    const style = styleOf(ownerOf(node));
    const seen = (rect) => {
      const inClip =
        !clip ||
        (rect.left >= clip.left - 1 &&
          rect.right <= clip.right + 1 &&
          rect.top >= clip.top - 2 &&
          rect.bottom <= clip.bottom + 2);
      return inClip ? seenPoints(shownBy, rect) : 0;
    };
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rects = rangeRects(range);
      if (rects.length === 0) continue;
      const counts = rects.map(seen);
      if (counts.every((count) => count >= POINTS_SEEN)) {
        add(word, style, rects.length === 1 ? rects[0] : rects.at(-1));
      } else if (counts.some((count) => count > 0)) {
        // Cut by an edge or an ellipsis: the letters before the cut can still be read.
        let length = 0;
        for (; length < word.length; length++) {
          range.setStart(node, index + length);
          range.setEnd(node, index + length + 1);
          const letter = rangeRects(range);
          if (letter.some((rect) => seen(rect) < POINTS_SEEN)) break;
        }
        if (length > 1) add(word.slice(0, length), style, null);
      }
      if (/\s/.test(node.data[index + word.length] ?? '')) last = null;
    }
    if (/^\s*$/.test(node.data)) last = null;
  };

  /** The text of a field is not in the tree: a copy of it, laid out the same, says where the words are. */
  const readField = (field) => {
    let text = field.value;
    let style = styleOf(field);
    if (field.tagName === 'SELECT')
      text = [...field.selectedOptions].map((option) => option.label).join(', ');
    else if (field.tagName === 'INPUT' && !TEXT_INPUTS.has(field.type)) text = '';
    if (field.value === '' && field.placeholder) {
      text = field.placeholder;
      style = styleOf(field, '::placeholder');
    }
    if (
      !text ||
      !legible(field) ||
      Number(style.opacity) < FAINTEST_OPACITY ||
      parse(style.color)[3] < FAINTEST_OPACITY
    )
      return;
    const own = styleOf(field);
    const box = field.getBoundingClientRect();
    const copy = field.ownerDocument.createElement('div');
    copy.textContent = text;
    const area = field.tagName === 'TEXTAREA';
    for (const name of [
      'font',
      'letterSpacing',
      'wordSpacing',
      'textTransform',
      'textIndent',
      'lineHeight',
      'direction',
    ])
      copy.style[name] = own[name];
    Object.assign(copy.style, {
      position: 'fixed',
      visibility: 'hidden',
      boxSizing: 'border-box',
      left: '0px',
      top: '0px',
      margin: '0',
      width: `${field.clientWidth}px`,
      textAlign: own.textAlign,
      whiteSpace: area ? 'pre-wrap' : 'pre',
      overflowWrap: 'break-word',
      padding: own.padding,
    });
    (field.ownerDocument.body ?? field.ownerDocument.documentElement).append(copy);
    // A fixed box inside a transformed page is not where it says: measure the offset.
    const at = copy.getBoundingClientRect();
    const rows = area ? 0 : (box.height - 2 * field.clientTop - at.height) / 2;
    const dx = box.left + field.clientLeft - at.left - field.scrollLeft;
    const dy = box.top + field.clientTop - at.top + (area ? 0 : rows) - field.scrollTop;
    const range = field.ownerDocument.createRange();
    const node = copy.firstChild;
    last = null;
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rects = rangeRects(range).map(
        (rect) => new DOMRect(rect.x + dx, rect.y + dy, rect.width, rect.height),
      );
      const inside = rects.every(
        (rect) =>
          rect.left >= box.left - 1 &&
          rect.right <= box.right + 1 &&
          rect.top >= box.top - 4 &&
          rect.bottom <= box.bottom + 4,
      );
      if (inside && rects.length > 0 && rects.every((rect) => seenPoints(field, rect) >= POINTS_SEEN))
        add(word, own, null);
    }
    copy.remove();
  };

  const readPseudo = (element, pseudo) => {
    const style = styleOf(element, pseudo);
    if (!/["(]/.test(style.content) || style.content.startsWith('url') || style.display === 'none') return;
    const text = [...style.content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)]
      .map(([, quoted, name]) => quoted ?? element.getAttribute(name) ?? '')
      .join('');
    const shown =
      style.visibility === 'visible' && Number(style.opacity) * opacityOf(element) >= FAINTEST_OPACITY;
    if (!shown || text.trim() === '' || ICON_FONT.test(style.fontFamily.split(',')[0])) return;
    if (seenPoints(element, element.getBoundingClientRect()) < POINTS_SEEN) return;
    for (const word of text.trim().split(/\s+/)) add(word, style, null);
  };

  const readElement = (element) => {
    const style = styleOf(element);
    if (style.display === 'none') return;
    if (['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'].includes(element.tagName)) return;
    if (['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName)) return readField(element);
    if (element.tagName === 'IFRAME') {
      if (element.contentDocument?.body) readElement(element.contentDocument.body);
      return;
    }
    if (style.display !== 'inline' && style.display !== 'contents') last = null;
    readPseudo(element, '::before');
    const slotted = element.tagName === 'SLOT' ? element.assignedNodes() : [];
    for (const node of slotted.length > 0 ? slotted : (element.shadowRoot ?? element).childNodes) {
      if (node.nodeType === Node.ELEMENT_NODE) readElement(node);
      else if (node.nodeType === Node.TEXT_NODE && legible(ownerOf(node))) readTextNode(node);
    }
    readPseudo(element, '::after');
    if (style.display !== 'inline' && style.display !== 'contents') last = null;
  };

  // ---- background and accent -----------------------------------------------------------------

  /** The colour painted at a point as #RRGGBB, or null for a gradient or a picture. */
  const paintedAt = (x, y) => {
    const layers = [];
    for (const element of document.elementsFromPoint(x, y)) {
      // Outside its box a modal dialog is hit by its backdrop, and what is beneath not at all.
      const backdrop = element.matches(':modal') && !within(element.getBoundingClientRect(), x, y);
      const paint = paintOf(element, backdrop ? '::backdrop' : '');
      if (paint.picture && (paint.hides > 0 || paint.picture === 'clear')) return null;
      if (paint.colour[3] > 0) layers.push(paint.colour);
      if (paint.colour[3] > 0.99) break;
    }
    return hex(layers.reduceRight(blend, canvasColour));
  };
  const blend = (below, above) =>
    [0, 1, 2].map((part) => above[part] * above[3] + below[part] * (1 - above[3]));
  // What lies behind everything: the root's background spreads over the viewport, or else the body's.
  const canvasColour = [document.documentElement, document.body]
    .map((element) => paintOf(element).colour)
    .reduce((chosen, colour) => (chosen[3] > 0 ? chosen : colour), [0, 0, 0, 0]);
  if (canvasColour[3] < 1) {
    const dark =
      matchMedia('(prefers-color-scheme: dark)').matches &&
      styleOf(document.documentElement).colorScheme.includes('dark');
    const under = dark ? [18, 18, 18] : [255, 255, 255];
    canvasColour.splice(0, 4, ...blend(under, [...canvasColour]), 1);
  }

  const findBackground = () => {
    const areas = new Map();
    for (let y = GRID_STEP_PX / 2; y < innerHeight; y += GRID_STEP_PX)
      for (let x = GRID_STEP_PX / 2; x < innerWidth; x += GRID_STEP_PX) {
        const colour = paintedAt(x, y);
        areas.set(colour, (areas.get(colour) ?? 0) + 1);
      }
    return [...areas].reduce((most, area) => (area[1] > most[1] ? area : most), [null, 0])[0];
  };

  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || opacityOf(element) < FAINTEST_OPACITY) return false;
    // Its label may cover the middle of a control, but its own content hides nothing of it.
    return [0.06, 0.5, 0.94].some((across) => {
      const [x, y] = [box.left + box.width * across, box.top + box.height / 2];
      const top = element
        .getRootNode()
        .elementsFromPoint(x, y)
        .find((over) => paintOf(over).hides >= HIDING_ALPHA || over === element);
      return top !== undefined && encloses(element, top);
    });
  };
  const fillOf = (element) => {
    const style = styleOf(element);
    if (isSvg(element) && !/^(none|url)/.test(style.fill)) return parse(style.fill);
    const colour = parse(style.backgroundColor);
    if (colour[3] >= 0.9) return colour;
    return imageAlpha(style.backgroundImage) > 0.05 ? null : undefined;
  };
  const findAccent = () => {
    const marked = [...document.querySelectorAll('[data-accent]')].find(isSeen);
    if (marked) {
      const fill = fillOf(marked);
      return fill === null ? null : hex(fill ?? parse(styleOf(marked).color));
    }
    const controls = [
      ...document.querySelectorAll('button, a, [role=button], input[type=submit], input[type=button]'),
    ];
    const filled = controls.filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width * height >= LEAST_BUTTON_AREA_PX2;
    });
    const mostSaturated = (elements, colourOf) =>
      elements
        .map((element) => ({ element, colour: colourOf(element) }))
        .filter(({ colour }) => colour && colour[3] >= 0.9 && chroma(colour) >= LEAST_CHROMA)
        .toSorted((a, b) => chroma(b.colour) - chroma(a.colour))
        .find(({ element }) => isSeen(element))?.colour;
    const links = controls.filter((element) => element.tagName === 'A');
    const accent =
      mostSaturated(filled, fillOf) ?? mostSaturated(links, (element) => parse(styleOf(element).color));
    return accent ? hex(accent) : null;
  };

  // ---- --------------------------------------------------------------------------------------

  // The hit test passes over what ignores the pointer or is inert, though it is seen.
  const sheet = '*, *::before, *::after { pointer-events: auto !important }';
  const restore = [];
  const prepare = (root) => {
    const view = (root.ownerDocument ?? root).defaultView;
    const style = new view.CSSStyleSheet();
    style.replaceSync(sheet);
    const before = [...root.adoptedStyleSheets];
    root.adoptedStyleSheets = [...before, style];
    restore.push(() => (root.adoptedStyleSheets = before));
    for (const element of root.querySelectorAll('*')) {
      if (element.inert) {
        element.inert = false;
        restore.push(() => (element.inert = true));
      }
      if (element.shadowRoot) prepare(element.shadowRoot);
      if (element.tagName === 'IFRAME' && element.contentDocument) prepare(element.contentDocument);
    }
  };
  prepare(document);
  try {
    readElement(document.body);
    const text = words.filter((word) => /[\p{L}\p{N}]/u.test(word)).join(' ');
    return { text, background: findBackground(), accent: findAccent() };
  } finally {
    for (const undo of restore.toReversed()) undo();
  }
})();
