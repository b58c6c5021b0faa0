// Load over many paths, which the command line of autocannon cannot do: one report as JSON.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const [, , file] = process.argv
const { url, paths, connections, seconds } = JSON.parse(readFileSync(file, 'utf8'))
const requests = paths.map((path) => ({ path }))
const report = await autocannon({ url, connections, duration: seconds, requests })
process.stdout.write(JSON.stringify(report))
