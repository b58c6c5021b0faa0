import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from './command.ts'
import { parseMockArguments } from './mock-flags.ts'

function check(line: string, positionals: string[], values: object): void {
  assert.deepEqual(parseMockArguments(line.split(' '), 'mock'), { positionals, values })
}

test('a document and nothing else', () => check('a.yaml', ['a.yaml'], {}))
test('-h is the host, -p the port', () =>
  check('-p 8080 -h 0.0.0.0 a.yaml', ['a.yaml'], { port: '8080', host: '0.0.0.0' }))
test('a value may be attached', () =>
  check('-p8080 --host=::1 a', ['a'], { port: '8080', host: '::1' }))
test('a switch alone', () => check('-d a', ['a'], { dynamic: true }))
test('a switch with a value', () =>
  check('--cors=false --errors true a', ['a'], { cors: false, errors: true }))
test('short flags in one word', () =>
  check('-dmv debug a', ['a'], { dynamic: true, multiprocess: true, verboseLevel: 'debug' }))
test('a switch turned off', () => check('--no-cors a', ['a'], { cors: false }))
test('kebab and camel case are the same', () =>
  check('--ignore-examples --verbose-level warn a', ['a'], {
    ignoreExamples: true,
    verboseLevel: 'warn'
  }))
test('several documents', () => check('a.yaml b=b.yaml', ['a.yaml', 'b=b.yaml'], {}))
test('values of a list are collected', () =>
  check('--fail-on violation,uncovered --fail-on x a', ['a'], {
    'fail-on': ['violation', 'uncovered', 'x']
  }))

for (const line of [
  '--frobnicate a',
  '-x a',
  '-dx a',
  '--port',
  '--dynamic=maybe a',
  '--upstream-proxy x'
]) {
  test(`refused: ${line}`, () => {
    assert.throws(() => parseMockArguments(line.split(' '), 'mock'), UsageError)
  })
}

test('proxy has its own flags', () => {
  const { values } = parseMockArguments(['--upstream-proxy', 'http://p', 'a', 'b'], 'proxy')
  assert.deepEqual(values, { 'upstream-proxy': 'http://p' })
  assert.throws(() => parseMockArguments(['-d', 'a', 'b'], 'proxy'), UsageError)
})
