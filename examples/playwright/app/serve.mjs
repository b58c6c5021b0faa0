import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8']
}

createServer(async (request, response) => {
  const [file, type] = FILES[new URL(request.url, 'http://app').pathname] ?? []
  if (file === undefined) {
    response.writeHead(404).end()
    return
  }
  const body = await readFile(new URL(file, import.meta.url))
  response.writeHead(200, { 'content-type': type }).end(body)
}).listen(Number(process.env.APP_PORT ?? 4173), '127.0.0.1')
