/** All services in a process of their own, which reports how long its event loop was blocked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { start } from '../../src/host/start.ts'

const MS_PER_NS = 1e-6
const MS_PER_US = 1e-3

const [settings = '{}'] = process.argv.slice(2)
const nonet = await start(JSON.parse(settings))
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
let before = process.cpuUsage()

/** `reset` starts a measurement, `read` ends it. */
process.on('message', (message) => {
  if (message === 'reset') {
    before = process.cpuUsage()
    delays.reset()
    process.send?.('started')
    return
  }
  // The delay of a turn is recorded by a timer after it.
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before)
    process.send?.({ delayMs: delays.max * MS_PER_NS, cpuMs: (user + system) * MS_PER_US })
  }, 5)
})
process.on('disconnect', () => nonet.stop())

const { reference, boxes, countries, scenarios, forms, mailbox, mock, statuses, cards } = nonet
process.send?.({ reference, boxes, countries, scenarios, forms, mailbox, mock, statuses, cards })
