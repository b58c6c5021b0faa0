import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>app</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/application.css">
<div id="root"></div><script src="/application.js"></script></html>`

export interface ApplicationServer extends AsyncDisposable {
  /** The page with these posts of a site. */
  urlOf: (site: string, ids: readonly string[]) => string
}

/** A React application on an origin of its own, bundled from the packages as they are. */
export async function serveApplication(): Promise<ApplicationServer> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'application.js')],
    outdir: '/',
    bundle: true,
    write: false,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' }
  })
  const fileOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text
  const files: Readonly<Record<string, [type: string, body: string | undefined]>> = {
    '/application.js': ['text/javascript', fileOf('.js')],
    '/application.css': ['text/css', fileOf('.css')]
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/html', PAGE]
    response.setHeader('content-type', type)
    response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf(site, ids) {
      const query = new URLSearchParams([['site', site], ...ids.map((id) => ['id', id])])
      return `http://127.0.0.1:${port}/?${query}`
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    }
  }
}
