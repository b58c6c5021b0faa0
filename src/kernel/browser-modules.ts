import { existsSync, readdirSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { etagOf, matchesEtag } from './etag.ts'

/** A script for pages, written in TypeScript and sent as JavaScript. */
interface BrowserModule {
  readonly body: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

export interface BrowserModules {
  /**
   * The response for the module of that name (without file extension); undefined if it does not
   * exist. `ifNoneMatch` is the header of the request.
   */
  respond: (name: string, ifNoneMatch: string | undefined) => ModuleResponse | undefined
}

export interface ModuleResponse {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const FILE = /^([\w-]+)\.(ts|js)$/

/** Loads the folder at the first request, because stripping types takes longer than a start. */
export function browserModulesIn(folder: URL): BrowserModules {
  let modules: ReadonlyMap<string, BrowserModule> | undefined
  return {
    respond(name, ifNoneMatch) {
      modules ??= loadBrowserModules(folder)
      const found = modules.get(name)
      if (found === undefined) return undefined
      const { etag, headers, body } = found
      return matchesEtag(ifNoneMatch, etag)
        ? { status: 304, headers }
        : { status: 200, headers, body }
    }
  }
}

/** In the package the file is already compiled; in a clone its types are stripped here. */
function loadBrowserModule(source: URL): BrowserModule {
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

/** The modules of a folder by name without extension, because imports use `.ts` or `.js`. */
function loadBrowserModules(folder: URL): ReadonlyMap<string, BrowserModule> {
  return new Map(
    readdirSync(folder).flatMap((file) => {
      const name = FILE.exec(file)?.[1]
      return name === undefined ? [] : [[name, loadBrowserModule(new URL(file, folder))]]
    })
  )
}
