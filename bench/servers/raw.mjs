// Upper limit: node:http that sends prepared headers and bytes, found by the URL alone.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , port, file] = process.argv
const answers = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(
    ([url, { status = 200, headers, body }]) => [
      url,
      { status, headers, bytes: Buffer.from(body, 'base64') }
    ]
  )
)

createServer((request, response) => {
  const { status, headers, bytes } = answers.get(request.url)
  response.writeHead(status, headers)
  response.end(bytes)
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
