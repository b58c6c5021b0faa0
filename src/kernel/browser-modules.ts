import { existsSync, readdirSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { etagOf } from './etag.ts'

/** A script for pages, written in TypeScript and sent as JavaScript. */
export interface BrowserModule {
  readonly body: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

const FILE = /^([\w-]+)\.(ts|js)$/

/** In the package the file is compiled already; in a clone its types are taken off here. */
export function loadBrowserModule(source: URL): BrowserModule {
  const isSource = source.pathname.endsWith('.ts') && existsSync(source)
  const compiled = new URL(source.href.replace(/\.ts$/, '.js'))
  const body = isSource
    ? module.stripTypeScriptTypes(readFileSync(source, 'utf8'))
    : readFileSync(compiled, 'utf8')
  const etag = etagOf(body)
  return {
    body,
    etag,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      etag,
      'x-content-type-options': 'nosniff'
    }
  }
}

/** The modules of a folder by their names without ending; imports name either ending. */
export function loadBrowserModules(folder: URL): ReadonlyMap<string, BrowserModule> {
  return new Map(
    readdirSync(folder).flatMap((file) => {
      const name = FILE.exec(file)?.[1]
      return name === undefined ? [] : [[name, loadBrowserModule(new URL(file, folder))]]
    })
  )
}
