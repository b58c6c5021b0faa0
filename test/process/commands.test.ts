import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { launchNonet, ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'

const version: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

test('--version prints the version', async () => {
  assert.deepEqual(await runNonet(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('--help lists the commands, and each command shows an example', async () => {
  const { code, stdout } = await runNonet(['--help'])
  assert.equal(code, 0)
  const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name)
  assert.deepEqual(names, ['up', 'check', 'import', 'export', 'reset', 'config', 'doctor'])
  for (const name of names) {
    const help = await runNonet([name, '--help'])
    assert.equal(help.code, 0)
    assert.match(help.stdout, new RegExp(`Examples?:\\n {2}nonet ${name}`))
  }
})

const complaints: readonly { args: string[]; says: string }[] = [
  { args: ['upp'], says: 'nonet: unknown command upp; did you mean up? See nonet --help\n' },
  { args: ['--hlp'], says: 'nonet: unknown option --hlp See nonet --help\n' },
  {
    args: ['up', '--prot-base', '5000'],
    says: 'nonet: unknown flag --prot-base for up; did you mean --port-base? See nonet up --help\n'
  },
  {
    args: ['check', 'referense', '.'],
    says: 'nonet: no service referense; did you mean reference?\n'
  },
  { args: ['check', 'forms', '.'], says: 'nonet: forms has nothing to check\n' },
  {
    args: ['export', 'reference', 'x'],
    says: 'nonet: --base-url takes an http(s) address. Usage: nonet export <service> <folder> --base-url <url> [--from <dir>]\n'
  }
]

for (const { args, says } of complaints) {
  test(`nonet ${args.join(' ')} is answered with one line and exit code 2`, async () => {
    assert.deepEqual(await runNonet(args), { code: 2, stdout: '', stderr: says })
  })
}

const refusals: readonly { args: string[]; says: RegExp }[] = [
  { args: ['up', 'nope'], says: /^nonet: There is no service nope; there are reference, forms\n$/ },
  {
    args: ['up', '--port-base=70000'],
    says: /^nonet: --port-base must be a whole number from 0 to 65000\n$/
  },
  { args: ['up', '--port=forms'], says: /^nonet: --port takes service=value, not forms\n$/ },
  { args: ['up', '--port=nope=1'], says: /^nonet: --port names nope, which is not a service\n$/ },
  {
    args: ['up', '--public-url=forms=ftp://x'],
    says: /^nonet: --public-url forms=… must be an http/
  },
  {
    args: ['up', '--reference-units=maybe'],
    says: /^nonet: --reference-units must be one of on, off\n$/
  },
  { args: ['up', '--trusted-proxy=proxy.example'], says: /^nonet: .*proxy\.example.*\n$/ },
  { args: ['up', '--config=/no/such/file.json'], says: /^nonet: Cannot read .*no.such.file\.json/ },
  { args: ['up', '--reference-data=/no/such/folder'], says: /^nonet: .*nonet check reference/s }
]

for (const { args, says } of refusals) {
  test(`nonet ${args.join(' ')} does not start`, async () => {
    const { code, stdout, stderr } = await runNonet([...args, '--ephemeral'])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n {4}at /)
  })
}

test('flags win over the environment, the environment over the file; secrets are masked', async () => {
  using folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'nonet.config.json'),
    JSON.stringify({
      $schema: './nonet.schema.json',
      services: ['forms'],
      portBase: 5000,
      port: { reference: 8000 },
      quiet: true,
      reference: { units: 'off' },
      forms: { webhook: 'https://hooks.example/secret' }
    })
  )
  const { code, stdout } = await runNonet(
    ['config', '--host', '127.0.0.2', '--port-base', '7000'],
    {
      cwd: folder.path,
      env: { NONET_PORT_BASE: '6000', NONET_REFERENCE_UNITS: 'on', NONET_ADMIN_TOKEN: 'hidden' }
    }
  )
  assert.equal(code, 0)
  const shown = JSON.parse(stdout)
  assert.deepEqual(shown.services, ['forms'])
  assert.equal(shown.portBase, 7000)
  assert.deepEqual(shown.port, { reference: 8000 })
  assert.deepEqual(shown.host, ['127.0.0.2'])
  assert.equal(shown.quiet, true)
  assert.equal(shown.reference.units, 'on')
  assert.equal(shown.adminToken, '********')
  assert.equal(shown.forms.webhook, '********')
  assert.doesNotMatch(stdout, /hidden|hooks\.example/)
})

test('an unknown key of the file is refused by name', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'nonet.config.json'), '{"forms":{"webhok":"x"}}')
  const { code, stderr } = await runNonet(['config'], { cwd: folder.path })
  assert.equal(code, 1)
  assert.match(stderr, /^nonet: Unknown key forms\.webhok in .*nonet\.config\.json\n$/)
})

test('config --schema describes exactly the keys that config shows', async () => {
  const schema = JSON.parse((await runNonet(['config', '--schema'])).stdout)
  const shown = JSON.parse((await runNonet(['config'])).stdout)
  const { $schema: _, ...properties } = schema.properties
  assert.deepEqual(Object.keys(properties).sort(), Object.keys(shown).sort())
  for (const name of ['reference', 'forms']) {
    assert.deepEqual(Object.keys(properties[name].properties), Object.keys(shown[name]))
  }
})

test('doctor finds a free machine well and a taken port wanting', async () => {
  await using nonet = await launchNonet(['--ephemeral'])
  const { port } = new URL(nonet.ready.services.forms ?? '')
  using folder = temporaryFolder()
  const sick = await runNonet(['doctor', '--port', `forms=${port}`, '--json'], { cwd: folder.path })
  const { ok, diagnoses } = JSON.parse(sick.stdout)
  assert.equal(sick.code, 1)
  assert.equal(ok, false)
  assert.ok(
    diagnoses.some(
      ({ ok: fine, what, advice }: { ok: boolean; what: string; advice?: string }) =>
        !fine &&
        what === `port ${port} for forms` &&
        advice === 'EADDRINUSE; choose another with --port forms=N'
    )
  )
  const well = await runNonet(['doctor', '--port-base=0'], { cwd: folder.path })
  assert.equal(well.code, 0)
  assert.match(well.stdout, /^ok {7}Node \d+/)
  assert.ok(!existsSync(join(folder.path, 'nonet-data')))
})

test('reset removes what is stored, only for the service named', async () => {
  using folder = temporaryFolder()
  for (const name of ['reference', 'forms']) {
    mkdirSync(join(folder.path, name))
    writeFileSync(join(folder.path, name, 'file'), '')
  }
  const { stdout } = await runNonet(['reset', 'reference', '--data', folder.path])
  assert.equal(stdout, 'Reset reference\n')
  assert.ok(!existsSync(join(folder.path, 'reference')))
  assert.ok(existsSync(join(folder.path, 'forms')))
  assert.equal(
    (await runNonet(['reset', '--data', folder.path])).stdout,
    'Reset reference, forms\n'
  )
  assert.ok(!existsSync(join(folder.path, 'forms')))
})

test('reset reaches the nonet that is running on the data folder', async () => {
  using folder = temporaryFolder()
  await using nonet = await launchNonet(['forms', '--data', folder.path])
  const form = { method: 'POST', body: '{"email":"ada@example.org","fullName":"Ada"}' }
  assert.equal((await fetch(nonet.ready.services.forms ?? '', form)).status, 200)
  const caught = async () => (await fetch(`${nonet.ready.console}/forms/catch.json`)).text()
  assert.match(await caught(), /ada@example\.org/)
  const { code, stdout } = await runNonet(['reset', 'forms', '--data', folder.path])
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'Reset forms\n' })
  assert.doesNotMatch(await caught(), /ada@example\.org/)
})
