/**
 * Texts that would be markup or code if a page did not escape them. Elements have the id `xss`, and
 * code opens a dialog.
 */
export const MARKUP_CORPUS: readonly string[] = [
  '<script id=xss>alert(1)</script>',
  '</script><script id=xss>alert(1)</script>',
  '<img id=xss src=x onerror=alert(1)>',
  '<svg id=xss onload=alert(1)>',
  '<svg><script id=xss>alert(1)</script></svg>',
  '<iframe id=xss srcdoc="<script>parent.alert(1)</script>">',
  '<details id=xss open ontoggle=alert(1)>',
  '<input id=xss autofocus onfocus=alert(1)>',
  '<style id=xss>*{display:none}</style>',
  '</style><b id=xss>b</b>',
  '</title><b id=xss>b</b>',
  '</textarea><b id=xss>b</b>',
  '<a id=xss href=javascript:alert(1)>a</a>',
  '<base id=xss href=//evil.example/>',
  '<meta id=xss http-equiv=refresh content="0;url=//evil.example">',
  '<form id=xss action=//evil.example><button>b',
  '<math><mi id=xss xlink:href="javascript:alert(1)">m',
  '<!-- --><b id=xss>b</b><!--',
  '<![CDATA[<b id=xss>b</b>]]>',
  ']]><b id=xss>b</b>',
  '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY e "e">]>&e;',
  '</p></article></main></body></html><b id=xss>b</b>',
  '"><b id=xss>b</b>',
  "'><b id=xss>b</b>",
  '" onmouseover="alert(1)" id="xss',
  "' onmouseover='alert(1)' id='xss",
  '` onmouseover=alert(1) id=xss',
  ' autofocus onfocus=alert(1) id=xss',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//https://example.org/',
  'data:text/html,<script>alert(1)</script>',
  'https://example.org/"onmouseover="alert(1)"id="xss',
  '&lt;b id=xss&gt;b&lt;/b&gt;',
  '&#60;b id=xss&#62; &#x3c;b&#x3e; &amp;lt; &nbsp; &copy',
  '\\u003cb id=xss\\u003e \\x3cb\\x3e \\"};alert(1)//',
  '{{constructor.constructor("alert(1)")()}} <%= alert(1) %> #{alert(1)} [[x]]',
  '\u202egnirts\u202c \u2067rtl\u2069 \u200f<b id=xss>',
  '\u0000<b id=xss\u0000>null\u0000</b>',
  '\u0001\u0008\u001b[31m\u2028line\u2029\ufeff<b id=xss>',
  '\ud800<b id=xss>\udc00',
  '＜b id=xss＞ ‹b› ʺ',
  '<b id=xss/onclick=alert(1)\t\n>b</b\n>'
]

/** As it is stored: JSON as UTF-8 has no half characters, and PostgreSQL no NUL. */
export function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}
