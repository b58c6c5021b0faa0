/**
 * Lists words to avoid in the sources: identifiers with a metaphor as one of their camelCase parts,
 * and lines of comments or strings with "nobody" for a role or "Nothing when" for `undefined`.
 * `node scripts/words.mjs [folder…]`; `test/architecture.test.ts` keeps both lists empty.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const METAPHORS = new RegExp(
  `^(?:${[
    'visit(?:s|ed|ing|ors?)?',
    ...['rooms?', 'desks?', 'tenants?', 'hous(?:e|es|ed|ing)', 'scenes?'],
    ...['plac(?:e|es|ed|ing|ements?)', 'pac(?:e|es|ed|ing)', 'breath(?:s|e|es|ed|ing)?']
  ].join('|')})$`
)
const RIDDLES = /\b(?:nobody|somebody|whoever|anybody|everybody)\b|\bNothing (?:when|where|for)\b/i
/** Comment, string, start of a template, identifier, bracket, number, regular expression, other. */
const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`|[\p{ID_Start}$_][\p{ID_Continue}$]*|[{}]|[)\]]|\d[\w.]*|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[^\s]/gu

/** Words of an identifier: `readVisitOf` has read, visit and of. */
function partsOf(identifier) {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[ _$]+/)
    .map((part) => part.toLowerCase())
}

/** Splits a source into identifiers and prose (comments, strings), each with its line. */
function split(text) {
  const identifiers = []
  const prose = []
  const holes = []
  let at = 0
  let isOperandBefore = false
  const lineAt = (offset) => text.slice(0, offset).split('\n').length
  const template = (from) => {
    let end = from
    while (end < text.length && text[end] !== '`' && !text.startsWith('${', end)) {
      end += text[end] === '\\' ? 2 : 1
    }
    prose.push({ offset: from, text: text.slice(from, end) })
    if (text[end] === '`') return end + 1
    holes.push(0)
    return end + 2
  }
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) break
    let [token] = found
    at = found.index + token.length
    if (token.length > 1 && token[0] === '/' && token[1] !== '/' && token[1] !== '*') {
      if (isOperandBefore) {
        token = '/'
        at = found.index + 1
      }
    }
    if (token.startsWith('//') || token.startsWith('/*')) {
      prose.push({ offset: found.index, text: token })
      continue
    }
    if (token === '`') {
      at = template(at)
      isOperandBefore = text[at - 1] === '`'
      continue
    }
    if (token === '{' && holes.length > 0) holes.push(holes.pop() + 1)
    if (token === '}' && holes.length > 0) {
      const open = holes.pop()
      if (open === 0) {
        at = template(at)
        isOperandBefore = text[at - 1] === '`'
        continue
      }
      holes.push(open - 1)
    }
    if (/^['"]/.test(token)) prose.push({ offset: found.index, text: token })
    const isIdentifier = /^[\p{ID_Start}$_]/u.test(token)
    if (isIdentifier) identifiers.push({ offset: found.index, text: token })
    const isKeyword = /^(?:return|typeof|case|in|of|yield|await|throw|else|new|void|delete)$/
    isOperandBefore = (isIdentifier && !isKeyword.test(token)) || /^[\d)\]'"/]/.test(token)
  }
  return { identifiers, prose, lineAt }
}

/** Identifiers that contain a metaphor, with their lines. */
export function findMetaphors(text) {
  const { identifiers, lineAt } = split(text)
  return identifiers
    .filter(({ text: name }) => partsOf(name).some((part) => METAPHORS.test(part)))
    .map(({ text: name, offset }) => ({ name, line: lineAt(offset) }))
}

/** Lines of comments and strings that do not name the role or value they describe. */
export function findRiddles(text) {
  const { prose, lineAt } = split(text)
  return prose.flatMap(({ text: words, offset }) =>
    words
      .split('\n')
      .map((line, index) => ({ text: line.trim(), line: lineAt(offset) + index }))
      .filter(({ text: line }) => RIDDLES.test(line))
  )
}

function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .sort()
}

function list(folders) {
  for (const path of folders.flatMap(sourcesBelow)) {
    const text = readFileSync(path, 'utf8')
    for (const { name, line } of findMetaphors(text)) console.log(`${path}:${line}  ${name}`)
    for (const riddle of findRiddles(text)) {
      console.log(`${path}:${riddle.line}  "${riddle.text}"`)
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.slice(2)
  list(folders.length > 0 ? folders : ['src'])
}
