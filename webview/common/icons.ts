/* Drawn for this page on the editor's 16-pixel grid; strokes take the colour of the text around them. */

const shapes = {
  chevronDown: ['M4 6.25 8 10.25 12 6.25'],
  chevronUp: ['M4 10 8 6 12 10'],
  chevronRight: ['M6.25 4 10.25 8 6.25 12'],
  chevronLeft: ['M9.75 4 5.75 8 9.75 12'],
  check: ['M3.25 8.5 6.5 11.75 12.75 4.75'],
  close: ['M4 4 12 12', 'M12 4 4 12'],
  warning: ['M8 2.25 14.25 13.25 1.75 13.25Z', 'M8 6.25 8 9.75', 'M8 11.25 8 11.75'],
  info: ['M8 1.75A6.25 6.25 0 1 0 8 14.25 6.25 6.25 0 1 0 8 1.75', 'M8 7.25 8 11.25', 'M8 4.75 8 5.25'],
  server: [
    'M2.5 2.75 13.5 2.75 13.5 7 2.5 7Z',
    'M2.5 9 13.5 9 13.5 13.25 2.5 13.25Z',
    'M5 4.9 5.5 4.9',
    'M5 11.1 5.5 11.1',
  ],
  person: ['M8 8A2.75 2.75 0 1 0 8 2.5 2.75 2.75 0 1 0 8 8', 'M3 13.5C3 10.75 5 9.5 8 9.5S13 10.75 13 13.5'],
  chat: ['M2.25 3 13.75 3 13.75 11 7.5 11 4.75 13.5 4.75 11 2.25 11Z'],
  plug: [
    'M5.5 2 5.5 5.25',
    'M10.5 2 10.5 5.25',
    'M3.75 5.25 12.25 5.25 12.25 7.5A4.25 4.25 0 0 1 3.75 7.5Z',
    'M8 11.75 8 14.25',
  ],
  open: ['M9.25 2.5 13.5 2.5 13.5 6.75', 'M13.5 2.5 7.5 8.5', 'M11.5 9 11.5 13.5 2.5 13.5 2.5 4.5 7 4.5'],
  edit: ['M2.75 13.25 3.5 10.25 11 2.75 13.25 5 5.75 12.5Z', 'M9.5 4.25 11.75 6.5'],
  stop: ['M4.25 4.25 11.75 4.25 11.75 11.75 4.25 11.75Z'],
  clear: ['M2.5 4 11 4', 'M2.5 7.5 8 7.5', 'M2.5 11 7 11', 'M10 8.5 14 12.5', 'M14 8.5 10 12.5'],
  tool: ['M10.2 2.4A3.6 3.6 0 0 0 6.3 7.2L2.4 11.1 4.9 13.6 8.8 9.7A3.6 3.6 0 0 0 13.6 5.8L11.4 8 8 4.6Z'],
  difference: ['M8 2.5 8 8', 'M5.25 5.25 10.75 5.25', 'M5.25 12 10.75 12'],
  running: ['M5.25 3.5 12 8 5.25 12.5Z'],
  withdrawn: ['M8 1.75A6.25 6.25 0 1 0 8 14.25 6.25 6.25 0 1 0 8 1.75', 'M3.75 3.75 12.25 12.25'],
} as const;

export type IconName = keyof typeof shapes;

/** A small drawing, hidden from screen readers: what it says is always also in words. */
export function icon(name: IconName): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  for (const shape of shapes[name]) {
    const path = document.createElementNS(namespace, 'path');
    path.setAttribute('d', shape);
    svg.append(path);
  }
  return svg;
}
