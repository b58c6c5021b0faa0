// Upper limit for a server that stores: node:http that reads the body and sends it back.
import { createServer } from 'node:http'

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.once('end', () => {
    const body = Buffer.concat(chunks)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
