/** Properties that change nothing outside of their element. */
const PROPERTIES =
  /^(?:background|border|font|list-style|text|flex|grid|word|column)(?:-(?!shadow)[a-z-]+)?$|^(?:(?:max|min)-)?(?:width|height)$|^(?:margin|padding)(?:-[a-z-]+)?$|^(?:color|display|float|clear|direction|unicode-bidi|opacity|line-height|letter-spacing|vertical-align|white-space|overflow-wrap|table-layout|empty-cells|caption-side|visibility|box-sizing|overflow|tab-size|hyphens|quotes|gap|row-gap|align-(?:items|content|self)|justify-content|order)$/
/** Values of the page around, or of boxes that leave their element. */
const OUTSIDE = /var\s*\(|env\s*\(|attr\s*\(|expression\s*\(|paint\s*\(|element\s*\(/i

/**
 * Declarations that only affect their element: it cannot cover other parts of a page, move over
 * them, or use what the page defines.
 */
export function containedStyle(css: string): string {
  // A string ends at a line end, but not at a space.
  return splitDeclarations(css.replace(/[\n\r\f]/g, ' '))
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      const name = declaration.slice(0, colon).trim().toLowerCase()
      const value = declaration.slice(colon + 1).trim()
      const isKept = colon > 0 && PROPERTIES.test(name) && isContained(name, value)
      return isKept ? [`${name}:${value}`] : []
    })
    .join(';')
}

function isContained(name: string, value: string): boolean {
  if (value === '' || /[{}\\]/.test(value) || OUTSIDE.test(value)) return false
  // Negative margins and indents move an element over others.
  const canMove = name.startsWith('margin') || name === 'text-indent'
  return !(canMove && /(?:^|[\s(,])-|calc/i.test(value))
}

/** At semicolons that are neither in quotes nor in parentheses. */
function splitDeclarations(css: string): readonly string[] {
  const declarations: string[] = []
  let start = 0
  let quote = ''
  let depth = 0
  for (let index = 0; index < css.length; index += 1) {
    const character = css.charAt(index)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === ';' && depth === 0) {
      declarations.push(css.slice(start, index))
      start = index + 1
    }
  }
  // What does not end could take in what a browser sees as further declarations.
  if (quote === '' && depth === 0) declarations.push(css.slice(start))
  return declarations
}
