import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Heading, outlineOf } from '../../kernel/markdown.ts'

/** In a clone and in the package: the folder beside the code. */
const FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url))
const INDEX = 'README.md'
/** Documents without a picture, as in a package that has none, show what it would show. */
const PICTURE = /^pictures\/[\w-]+\.png$/
/** In characters of Markdown; the page of a part has at most 60 KB. */
const PART_LENGTH = 11_000

/** Put before the ids of headings. */
export const ID_PREFIX = 'doc-'

/** A long document is divided into parts, each of which is a page. */
export interface DocPart {
  /** Path on the console. */
  href: string
  document: DocDocument
  /** From 1. */
  number: number
  text: string
  headings: readonly Heading[]
}

export interface DocDocument {
  /** Path in the folder, without `.md`. */
  path: string
  title: string
  summary: string
  parts: readonly DocPart[]
}

export interface DocGroup {
  title: string
  documents: readonly DocDocument[]
}

export interface Library {
  /** In the order in which they are listed. */
  groups: readonly DocGroup[]
  /** All pages, in reading order. */
  parts: readonly DocPart[]
  /** A page by its path below `/docs/`. */
  find(path: string): DocPart | undefined
  /** The path of a picture below `/docs/pictures/` on the disk; undefined for an unknown name. */
  findPicture(name: string): string | undefined
  /** What a link in a document leads to: a path on the console, or a file of the project. */
  resolve(target: string, from: DocPart): string | { path: string }
}

const GROUPS: readonly { title: string; contains: (path: string) => boolean }[] = [
  { title: 'Start here', contains: (path) => !path.includes('/') },
  { title: 'Services', contains: (path) => path.startsWith('services/') },
  { title: 'How to', contains: (path) => path.startsWith('how-to/') },
  { title: 'Reference', contains: (path) => path.startsWith('reference/') },
  { title: 'Background', contains: () => true }
]

/** Reads the folder once; no other file can be requested later. */
export function readLibrary(folder: string = FOLDER): Library {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll(sep, '/')
  )
  const files = all.filter((file) => file.endsWith('.md') && file !== INDEX)
  const pictures = new Set(all.filter((file) => PICTURE.test(file)))
  const index = readIndex(readFileSync(join(folder, INDEX), 'utf8'))
  const documents = files
    .map((file) => readDocument(folder, file, index.get(file)?.goal))
    .sort((one, other) => one.path.localeCompare(other.path))
    .sort((one, other) => positionOf(one, index) - positionOf(other, index))
  const groups = groupDocuments(documents)
  const parts = groups.flatMap((group) => group.documents.flatMap((document) => document.parts))
  const byHref = new Map(parts.map((part) => [part.href, part]))
  return {
    groups,
    parts,
    find: (path) => byHref.get(`/docs/${path}`),
    findPicture: (name) => {
      const file = `pictures/${name}`
      return pictures.has(file) ? join(folder, file) : undefined
    },
    resolve: (target, from) => resolveTarget(target, from, documents, pictures)
  }
}

interface IndexEntry {
  position: number
  /** What the reader wants; undefined if several documents share it. */
  goal: string | undefined
}

/** Rows such as `| look up a setting | [configuration](reference/configuration.md) |`. */
function readIndex(text: string): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>()
  for (const [, goal = '', links = ''] of text.matchAll(/^\| (.+?) \| (.*\]\(.*) \|$/gm)) {
    const files = [...links.matchAll(/\]\(([^)#]+)/g)].map(([, file = '']) => file)
    for (const file of files) {
      const isOnly = files.length === 1
      entries.set(file, { position: entries.size, goal: isOnly ? toSentence(goal) : undefined })
    }
  }
  return entries
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function positionOf({ path }: DocDocument, index: ReadonlyMap<string, IndexEntry>): number {
  return index.get(`${path}.md`)?.position ?? index.size
}

function groupDocuments(documents: readonly DocDocument[]): DocGroup[] {
  const groupOf = ({ path }: DocDocument) => GROUPS.find(({ contains }) => contains(path))
  return GROUPS.map((group) => ({
    title: group.title,
    documents: documents.filter((document) => groupOf(document) === group)
  })).filter((group) => group.documents.length > 0)
}

function readDocument(folder: string, file: string, goal: string | undefined): DocDocument {
  const text = readFileSync(join(folder, file), 'utf8')
  const { headings, firstParagraph } = outlineOf(text)
  const path = file.replace(/\.md$/, '')
  const title = headings.find(({ level }) => level === 1)?.text ?? basename(path)
  const summary = goal === undefined || goal === `${title}.` ? firstParagraph : goal
  const parts: DocPart[] = []
  const document: DocDocument = { path, title, summary, parts }
  const lines = text.split('\n')
  const starts = partStarts(lines, headings)
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? lines.length
    const number = index + 1
    parts.push({
      href: number === 1 ? `/docs/${path}` : `/docs/${path}/${number}`,
      document,
      number,
      text: lines.slice(start, end).join('\n'),
      headings: headings.filter(({ line }) => line >= start && line < end)
    })
  }
  return document
}

/** First lines of parts of about the same length: 0 and headings of the second level. */
function partStarts(lines: readonly string[], headings: readonly Heading[]): number[] {
  const lengthUntil = (line: number) => lines.slice(0, line).join('\n').length
  const total = lengthUntil(lines.length)
  const length = total / Math.ceil(total / PART_LENGTH)
  const sections = headings.filter(({ level }) => level === 2).map(({ line }) => line)
  const starts = [0]
  for (const [index, section] of sections.entries()) {
    const middle = (lengthUntil(section) + lengthUntil(sections[index + 1] ?? lines.length)) / 2
    if (middle > length * starts.length) starts.push(section)
  }
  return starts
}

function resolveTarget(
  target: string,
  from: DocPart,
  documents: readonly DocDocument[],
  pictures: ReadonlySet<string>
): string | { path: string } {
  if (target.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return target
  const [link = '', fragment] = target.split('#', 2)
  const file = link === '' ? `${from.document.path}.md` : fileOf(link, from.document.path)
  if (file === INDEX) return '/docs/'
  if (pictures.has(file)) return `/docs/${file}`
  const document = documents.find(({ path }) => `${path}.md` === file)
  if (document === undefined) return { path: posix.join('docs', file) }
  return hrefOf(document, fragment, from)
}

function fileOf(link: string, path: string): string {
  return posix.normalize(posix.join(posix.dirname(path), link))
}

function hrefOf(document: DocDocument, fragment: string | undefined, from: DocPart): string {
  const [first] = document.parts
  const part =
    fragment === undefined
      ? first
      : document.parts.find(({ headings }) => headings.some(({ id }) => id === fragment))
  if (part === from && fragment !== undefined) return `#${fragment}`
  const href = (part ?? first)?.href ?? '/docs/'
  return part === undefined || fragment === undefined ? href : `${href}#${ID_PREFIX}${fragment}`
}
