import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { etagOf } from '../../../kernel/etag.ts'

interface Source {
  /** Path below `browser/node_modules` of a clone. */
  module: string
  type: string
}

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** The published package has these files in `browser/files/` under the names on the left. */
export const PLAYGROUND_FILES: Readonly<Record<string, Source>> = {
  'react.js': { module: 'react/umd/react.production.min.js', type: SCRIPT },
  'react-dom.js': { module: 'react-dom/umd/react-dom.production.min.js', type: SCRIPT },
  'graphiql.js': { module: 'graphiql/graphiql.min.js', type: SCRIPT },
  'graphiql.css': { module: 'graphiql/graphiql.min.css', type: STYLE },
  'start.js': { module: '../start.js', type: SCRIPT },
  'page.css': { module: '../page.css', type: STYLE }
}

export interface PlaygroundFile {
  type: string
  etag: string
  plain: Buffer
  gzip: Buffer
}

const open = new Map<string, PlaygroundFile>()

/** Reads a file at its first request and caches it; there are six files. */
export function openPlaygroundFile(name: string): PlaygroundFile | undefined {
  const source = Object.hasOwn(PLAYGROUND_FILES, name) ? PLAYGROUND_FILES[name] : undefined
  if (source === undefined) return undefined
  const known = open.get(name)
  if (known !== undefined) return known
  const plain = readFileSync(locate(name, source.module))
  const file = { type: source.type, etag: etagOf(plain), plain, gzip: gzipSync(plain) }
  open.set(name, file)
  return file
}

function locate(name: string, module: string): URL {
  const packed = new URL(`./browser/files/${name}`, import.meta.url)
  return existsSync(packed) ? packed : new URL(`./browser/node_modules/${module}`, import.meta.url)
}
