import type { Icon } from '@modelcontextprotocol/server';

/** Icons travel inside the answers: a client shows them before it has fetched anything. */
function icon(shape: string): Icon[] {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#6366F1" stroke-width="2">${shape}</svg>`;
  return [
    { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, mimeType: 'image/svg+xml', sizes: ['any'] },
  ];
}

/** A frame with a picture in it, as in a shop window. */
export const VITRINE_ICON = icon('<path d="M4 3h16v18H4zM4 16h16M8 8h8"/>');
