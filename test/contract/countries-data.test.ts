/** The data: a reviewed list of all records, CLDR as a second opinion, every correction. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { iso31661 } from 'iso-3166'
import { FOLDER, prepare } from '../../scripts/countries/prepare.mjs'
import { type Nonet, start } from '../../src/host/start.ts'
import { ACCEPTED_CURRENCIES, ACCEPTED_DIRECTIONS, ACCEPTED_LANGUAGES } from './countries-cldr.ts'

const GOLDEN = join(import.meta.dirname, 'countries-golden.tsv')
const QUERY = `{ countries { code alpha3 numeric emoji name native capital currency phone awsRegion
  currencies emojiU phones aliases
  languages { code name } continent { code } continents { code } timezones { name }
  states { code } subdivisions { code } } }`

/** Letters that run from right to left. */
const LEFTWARD = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Thaa}\p{sc=Syrc}\p{sc=Nkoo}]/u

interface Shown {
  code: string
  alpha3: string
  numeric: string | null
  emoji: string
  emojiU: string
  name: string
  native: string
  aliases: string[]
  capital: string | null
  currency: string | null
  currencies: string[]
  phone: string
  phones: string[]
  awsRegion: string
  languages: { code: string; name: string }[]
  continent: { code: string }
  continents: { code: string }[]
  timezones: { name: string }[]
  states: { code: string }[]
  subdivisions: { code: string }[]
}

let nonet: Nonet<'countries'>
let shown: Shown[]

async function ask(query: string) {
  const response = await fetch(nonet.countries.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query })
  })
  return (await response.json()).data
}

before(async () => {
  nonet = await start({ services: ['countries'] })
  shown = (await ask(QUERY)).countries
})
after(() => nonet.stop())

const COLUMNS: Readonly<Record<string, (country: Shown) => string | null>> = {
  code: ({ code }) => code,
  alpha3: ({ alpha3 }) => alpha3,
  numeric: ({ numeric }) => numeric,
  emoji: ({ emoji }) => emoji,
  name: ({ name }) => name,
  native: ({ native }) => native,
  capital: ({ capital }) => capital,
  currency: ({ currency }) => currency,
  languages: ({ languages }) => languages.map(({ code, name }) => `${code}=${name}`).join('; '),
  phone: ({ phone }) => phone,
  continents: ({ continents }) => continents.map(({ code }) => code).join(' '),
  awsRegion: ({ awsRegion }) => awsRegion,
  zones: ({ timezones }) => timezones.map(({ name }) => name).join(' '),
  states: ({ states }) => String(states.length),
  subdivisions: ({ subdivisions }) => String(subdivisions.length),
  aliases: ({ aliases }) => aliases.join('; ')
}

/** After a review: NONET_GOLDEN=write npm test -- countries-data. */
test('all 250 records are the reviewed ones', () => {
  const lines = shown.map((country) =>
    Object.values(COLUMNS)
      .map((column) => column(country) ?? '–')
      .join('\t')
  )
  const text = `${[Object.keys(COLUMNS).join('\t'), ...lines].join('\n')}\n`
  if (process.env.NONET_GOLDEN === 'write') writeFileSync(GOLDEN, text)
  assert.deepEqual(text.split('\n'), readFileSync(GOLDEN, 'utf8').split('\n'))
})

test('they are the 249 assigned codes of ISO 3166-1 and XK, in order', () => {
  const assigned = iso31661.filter(({ state }) => state === 'assigned')
  assert.equal(assigned.length, 249)
  assert.deepEqual(
    shown.map(({ code }) => code),
    [...assigned.map(({ alpha2 }) => alpha2), 'XK'].sort()
  )
})

describe('the record of the specification', () => {
  test('is filled for every code, one by one', async () => {
    const empty: string[] = []
    for (const { code } of shown) {
      const query = `{ country(code: "${code}") { name native emoji currency languages { code name } } }`
      const { country } = await ask(query)
      assert.deepEqual(Object.keys(country), ['name', 'native', 'emoji', 'currency', 'languages'])
      assert.ok(country.name && country.native, code)
      assert.equal([...country.emoji].length, 2, code)
      for (const language of country.languages) assert.ok(language.code && language.name, code)
      if (country.currency === null || country.languages.length === 0) empty.push(code)
    }
    assert.deepEqual(empty, ['AQ'])
  })

  test('names hold no invisible characters, and none is cut off', () => {
    for (const { code, name, native, capital } of shown) {
      for (const text of [name, native, capital ?? '']) {
        assert.equal(text, text.trim().normalize('NFC'), code)
        // A joiner inside a Sinhala word is spelling; direction marks are not.
        assert.doesNotMatch(text, /[\u200b\u200e\u200f\u202a-\u202e\ufeff]/, code)
      }
      assert.notEqual(native.length, 50, code)
    }
  })

  test('lists and joined texts agree', () => {
    for (const country of shown) {
      assert.equal(country.currency ?? '', country.currencies.join(','))
      assert.equal(country.phone, country.phones.join(','))
      assert.ok(!country.currencies.includes(''), country.code)
      assert.equal(country.continents[0]?.code, country.continent.code)
      assert.match(country.awsRegion, /^[a-z]{2}-[a-z]+-\d$/)
      assert.equal(
        country.emojiU,
        [...country.emoji].map((c) => `U+${c.codePointAt(0)?.toString(16).toUpperCase()}`).join(' ')
      )
    }
  })

  test('subdivisions and states are sorted by code', () => {
    for (const { code, subdivisions, states } of shown) {
      for (const list of [subdivisions, states]) {
        const codes = list.map((one) => one.code)
        assert.deepEqual(codes, codes.toSorted(), code)
      }
    }
  })

  test('every country that has subdivisions in ISO 3166-2 shows them', () => {
    const with_ = shown.filter(({ subdivisions }) => subdivisions.length > 0)
    assert.equal(with_.length, 200)
    assert.equal(
      with_.reduce((sum, { subdivisions }) => sum + subdivisions.length, 0),
      5067
    )
    for (const { code, states } of with_) assert.ok(states.length > 0, code)
  })
})

describe('time zones', () => {
  const table = readFileSync(join(FOLDER, 'zones.tsv'), 'utf8').trimEnd().split('\n')

  test('are those that the IANA table has for the country', () => {
    const ours = shown
      .filter(({ code }) => code !== 'XK')
      .flatMap(({ code, timezones }) => timezones.map(({ name }) => `${code}\t${name}`))
    assert.deepEqual(ours.sort(), table.toSorted())
    assert.equal(table.length, 418)
  })

  for (const [code, zones] of Object.entries({
    DK: ['Europe/Copenhagen'],
    IS: ['Atlantic/Reykjavik'],
    NO: ['Europe/Oslo'],
    UA: ['Europe/Kyiv', 'Europe/Simferopol'],
    XK: ['Europe/Belgrade']
  })) {
    test(`of ${code} by the names of its own`, () => {
      const country = shown.find((one) => one.code === code)
      assert.deepEqual(
        country?.timezones.map(({ name }) => name),
        zones
      )
    })
  }

  test('every one has an offset', async () => {
    const { countries } = await ask('{ countries { timezones { utcOffset } } }')
    for (const { timezones } of countries) {
      for (const { utcOffset } of timezones) assert.match(utcOffset, /^[+-]\d\d:\d\d$/)
    }
  })
})

for (const [code, names] of Object.entries({
  GB: 'England, Northern Ireland, Scotland, Wales',
  BE: 'Brussels Hoofdstedelijk Gewest, Vlaams Gewest, Waals Gewest'
})) {
  test(`the states of ${code} are ${names}`, async () => {
    const { country } = await ask(
      `{ country(code: "${code}") { states { name } subdivisions { code parent { code } } } }`
    )
    assert.equal(country.states.map(({ name }: { name: string }) => name).join(', '), names)
    assert.ok(country.subdivisions.length > country.states.length)
  })
}

test('the nearest region of Taiwan and New Zealand is their own', () => {
  const regionOf = (code: string) => shown.find((one) => one.code === code)?.awsRegion
  assert.equal(regionOf('TW'), 'ap-east-2')
  assert.equal(regionOf('NZ'), 'ap-southeast-6')
})

test('the files are what the packages and the overlay give', () => {
  const { updated, sources } = JSON.parse(readFileSync(join(FOLDER, 'meta.json'), 'utf8'))
  const cldr = sources.find(({ name }: { name: string }) => name === 'CLDR').version
  const made = prepare(updated)
  const same = process.versions.cldr === cldr
  // Names and currencies come from the CLDR of the Node that made them.
  const stable = Object.keys(made).filter(
    (name) => same || !['names.json', 'currencies.json', 'meta.json'].includes(name)
  )
  for (const name of stable) {
    assert.equal(readFileSync(join(FOLDER, name), 'utf8'), made[name], `${name} is not up to date`)
  }
})

describe('corrections', () => {
  const overlay = JSON.parse(readFileSync(join(FOLDER, 'overlay.json'), 'utf8'))

  interface Correction {
    code: string
    field: string
    was: unknown
    value: unknown
    reason: string
  }

  const SELECTIONS: Readonly<Record<string, (country: Shown) => unknown>> = {
    name: ({ name }) => name,
    native: ({ native }) => native,
    alpha3: ({ alpha3 }) => alpha3,
    currencies: ({ currencies }) => currencies,
    languages: ({ languages }) => languages.map(({ code }) => code),
    phones: ({ phones }) => phones,
    continent: ({ continent }) => continent.code,
    continents: ({ continents }) => continents.map(({ code }) => code),
    timezones: ({ timezones }) => timezones.map(({ name }) => name)
  }

  for (const row of overlay.countries as Correction[]) {
    test(`${row.code} ${row.field}: ${row.reason}`, () => {
      const country = shown.find(({ code }) => code === row.code) ?? assert.fail(row.code)
      const select = SELECTIONS[row.field] ?? assert.fail(row.field)
      assert.deepEqual(select(country), row.value)
      assert.notDeepEqual(row.was, row.value)
      assert.ok(row.reason.length > 10)
      if (row.field === 'name') assert.ok(country.aliases.includes(String(row.was)))
    })
  }

  for (const row of overlay.languages as Correction[]) {
    test(`language ${row.code} ${row.field}: ${row.reason}`, async () => {
      const { language } = await ask(`{ language(code: "${row.code}") { name native rtl } }`)
      if (row.field === 'whole') assert.deepEqual(language, row.value)
      else assert.equal(language[row.field], row.value)
      assert.ok(row.reason.length > 10)
    })
  }
})

describe('CLDR', () => {
  const require = createRequire(import.meta.url)
  const { region } = require('cldr-core/supplemental/currencyData.json').supplemental.currencyData
  const { territoryInfo } = require('cldr-core/supplemental/territoryInfo.json').supplemental

  interface Tender {
    _from?: string
    _to?: string
    _tender?: string
  }

  test('currencies in tender are those of CLDR, but for the accepted differences', () => {
    const today = new Date().toISOString().slice(0, 10)
    const isTender = ({ _from = '', _to = '9', _tender }: Tender) =>
      _from <= today && _to > today && _tender !== 'false'
    const differences = shown.flatMap(({ code, currencies }) => {
      const entries: [string, Tender][] = (region[code] ?? []).flatMap(Object.entries)
      const theirs = entries.filter(([, tender]) => isTender(tender)).map(([name]) => name)
      return differ(code, currencies, theirs)
    })
    assert.deepEqual(differences, ACCEPTED_CURRENCIES)
  })

  test('languages are the official ones of CLDR, but for the accepted differences', () => {
    const differences = shown.flatMap(({ code, languages }) => {
      const populations: Record<string, { _officialStatus?: string }> =
        territoryInfo[code]?.languagePopulation ?? {}
      const official = Object.entries(populations)
        .filter(([, { _officialStatus: status }]) => /^(de_facto_)?official$/.test(status ?? ''))
        .map(([name]) => name.split('_')[0] ?? '')
      return differ(
        code,
        languages.map((language) => language.code),
        official
      )
    })
    assert.deepEqual(differences, ACCEPTED_LANGUAGES)
  })

  test('directions of writing are those of CLDR, but for the accepted differences', async () => {
    const { languages } = await ask('{ languages { code rtl } }')
    const differences = languages.flatMap(({ code, rtl }: { code: string; rtl: boolean }) => {
      // Older types of TypeScript do not know the method that every supported Node has.
      const locale = new Intl.Locale(code) as Intl.Locale & {
        getTextInfo: () => { direction?: string }
      }
      return (locale.getTextInfo().direction === 'rtl') === rtl ? [] : [code]
    })
    assert.deepEqual(differences, ACCEPTED_DIRECTIONS)
  })

  test('a native name runs in the direction of its language', async () => {
    const { languages } = await ask('{ languages { code native rtl } }')
    for (const { code, native, rtl } of languages) {
      // Where a language has several scripts, one of them is that of its direction.
      const directions = native.split(' / ').map((form: string) => LEFTWARD.test(form))
      assert.ok(directions.includes(rtl), `${code} ${native}`)
    }
  })

  for (const [code, name] of Object.entries({
    so: 'Somali',
    to: 'Tongan',
    rw: 'Kinyarwanda',
    rm: 'Romansh'
  })) {
    test(`${code} is ${name}, as CLDR has it`, async () => {
      const { language } = await ask(`{ language(code: "${code}") { name } }`)
      assert.equal(language.name, name)
      assert.equal(new Intl.DisplayNames('en', { type: 'language' }).of(code), name)
    })
  }

  test('every currency and language has a name in CLDR', async () => {
    const { currencies, languages } = await ask('{ currencies { code } languages { code } }')
    const known = (type: 'currency' | 'language') => {
      const names = new Intl.DisplayNames('en', { type, fallback: 'none' })
      return ({ code }: { code: string }) => names.of(code) === undefined
    }
    assert.deepEqual(currencies.filter(known('currency')), [])
    assert.deepEqual(languages.filter(known('language')), [])
  })

  function differ(code: string, ours: readonly string[], theirs: readonly string[]): string[] {
    const added = ours.filter((one) => !theirs.includes(one)).map((one) => `+${one}`)
    const missing = [...new Set(theirs)]
      .filter((one) => !ours.includes(one))
      .map((one) => `-${one}`)
    return added.length + missing.length === 0
      ? []
      : [`${code} ${[...added.sort(), ...missing.sort()].join(' ')}`]
  }
})
