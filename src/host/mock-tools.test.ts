import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configure, fromEnvironment, fromFile } from './mock-tools.ts'
import { SERVICE_NAMES } from './service-names.ts'

function read(content: object) {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-'))
  const file = join(folder, 'nonet.config.json')
  try {
    writeFileSync(file, JSON.stringify(content))
    return fromFile(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('sections of other services are ignored, unknown keys are not', () => {
  const given = read({ boxes: { rateLimit: 5 }, mock: { errors: true }, quiet: true })
  assert.deepEqual(given, { 'mock.errors': true, quiet: true })
  assert.throws(() => read({ boxs: {} }), /Unknown key boxs/)
  assert.throws(() => read({ mock: { erors: true } }), /Unknown key mock\.erors/)
  assert.throws(() => read({ boxes: 1 }), /boxes in .* must be an object/)
})

test('the environment may have settings of other services too', () => {
  const given = fromEnvironment({
    NONET_BOXES_RATE_LIMIT: 'nonsense',
    NONET_MOCK_SEED: 'one',
    NONET_PORT: 'boxes=1,mock=2,mailbox-imap=3'
  })
  const configuration = configure(given)
  assert.deepEqual(
    configuration.services.map(({ name }) => name),
    ['mock']
  )
  assert.equal(configuration.options.mock?.seed, 'one')
  assert.deepEqual(configuration.port, { boxes: 1, mock: 2, 'mailbox-imap': 3 })
  assert.throws(() => configure({ port: 'boxs=1' }), /has an unknown service: boxs/)
  assert.throws(() => configure({ port: 'mock-imap=1' }), /has an unknown service: mock-imap/)
  assert.throws(() => configure({ services: 'boxs' }), new RegExp(SERVICE_NAMES.join(', ')))
})
