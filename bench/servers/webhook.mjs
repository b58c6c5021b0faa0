// A webhook that reads the body and responds at once.
import { createServer } from 'node:http'

const answer = Buffer.from('{"status":"success"}')

createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
