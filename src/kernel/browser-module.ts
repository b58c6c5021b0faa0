import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { etagOf } from './etag.ts'

/** A script for pages, written in TypeScript and sent as JavaScript. */
export interface BrowserModule {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** In the package the file is compiled already; in a clone its types are cut out here. */
export function loadBrowserModule(source: URL): BrowserModule {
  const text = existsSync(source)
    ? module.stripTypeScriptTypes(readFileSync(source, 'utf8'))
    : readFileSync(new URL(source.href.replace(/\.ts$/, '.js')), 'utf8')
  return {
    text,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      etag: etagOf(text),
      'x-content-type-options': 'nosniff'
    }
  }
}
