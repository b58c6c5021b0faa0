// Load of different requests in turn, which the command line of autocannon cannot do.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const [, , file] = process.argv
const { url, path, paths, numberedPath, body, bodies, headers, connections, seconds } = JSON.parse(
  readFileSync(file, 'utf8')
)
let count = 0
const requests =
  numberedPath !== undefined
    ? [{ path: '/', headers, setupRequest: (one) => ({ ...one, path: numberedPath + count++ }) }]
    : paths === undefined
      ? bodies.map((body) => ({ method: 'POST', path, body, headers }))
      : paths.map((one) =>
          body ? { path: one, method: 'POST', body, headers } : { path: one, headers }
        )
const report = await autocannon({ url, connections, duration: seconds, requests })
process.stdout.write(JSON.stringify(report))
