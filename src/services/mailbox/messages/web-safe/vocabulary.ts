/** Tags and attributes that are written. */
export const TAGS: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'address', 'article', 'aside', 'b', 'bdi', 'bdo', 'big', 'blockquote', 'br'],
  ...['caption', 'center', 'cite', 'code', 'col', 'colgroup', 'dd', 'del', 'dfn', 'div', 'dl'],
  ...['dt', 'em', 'figcaption', 'figure', 'font', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['header', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main', 'mark', 'nav', 'ol', 'p', 'pre'],
  ...['q', 's', 'samp', 'section', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'table'],
  ...['tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var', 'wbr']
])
export const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'wbr'])
export const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['abbr', 'align', 'alt', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'class', 'color'],
  ...['colspan', 'dir', 'face', 'height', 'hidden', 'hspace', 'id', 'lang', 'noshade', 'nowrap'],
  ...['reversed', 'rowspan', 'rules', 'scope', 'size', 'span', 'start', 'summary', 'title'],
  ...['valign', 'value', 'vspace', 'width']
])
/** Attributes with the URL of an image. */
export const IMAGE_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['src', 'srcset', 'background', 'poster']
])
