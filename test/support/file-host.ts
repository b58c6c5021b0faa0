/** A plain host of static files, and a reader of `_redirects` as two kinds of hosts apply it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4'
}

/** The file of a path: itself, or `index.html` of a folder. */
export function fileOf(folder: string, path: string): string | undefined {
  const named = join(folder, decodeURIComponent(path))
  const file = statSync(named, { throwIfNoEntry: false })?.isDirectory()
    ? join(named, 'index.html')
    : named
  return existsSync(file) ? file : undefined
}

export interface FileHost extends AsyncDisposable {
  url: string
  /** Set before the first request. */
  folder: string
}

/** Knows files and `404.html`, nothing else. */
export async function startFileHost(): Promise<FileHost> {
  const server = createServer((request, response) => {
    const file = fileOf(host.folder, new URL(request.url ?? '', host.url).pathname)
    const shown = file ?? join(host.folder, '404.html')
    const type = TYPES[extname(shown)] ?? 'application/octet-stream'
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type })
    response.end(existsSync(shown) ? readFileSync(shown) : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host: FileHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  return host
}

interface Rule {
  pattern: RegExp
  target: string
  status: number
}

export function parseRedirects(text: string): Rule[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [from = '', target = '', status = '', ...rest] = line.split(' ')
      if (!/^\d{3}$/.test(status) || rest.length > 0) throw new Error(`Not a rule: ${line}`)
      const source = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')
      return { pattern: new RegExp(`^${source}$`), target, status: Number(status) }
    })
}

/** Some hosts serve a file before they look at rules, some look at rules first. */
export type RuleOrder = 'files first' | 'rules first'

export interface Followed {
  /** The path of the file that is shown; undefined is 404. */
  path: string | undefined
  hops: number
}

export function follow(rules: readonly Rule[], folder: string, start: string, order: RuleOrder) {
  let path = start
  for (let hops = 0; hops < 5; hops++) {
    const isFile = fileOf(folder, path) !== undefined
    const rule = order === 'files first' && isFile ? undefined : findRule(rules, path)
    if (rule === undefined || rule.status === 200) {
      const shown = rule?.target ?? path
      return { path: fileOf(folder, shown) === undefined ? undefined : shown, hops }
    }
    path = rule.target
  }
  throw new Error(`Redirects of ${start} do not end`)
}

function findRule(rules: readonly Rule[], path: string): Rule | undefined {
  const rule = rules.find(({ pattern }) => pattern.test(path))
  const groups = rule?.pattern.exec(path)?.groups ?? {}
  return (
    rule && { ...rule, target: rule.target.replace(/:(\w+)/g, (_all, name) => groups[name] ?? '') }
  )
}
