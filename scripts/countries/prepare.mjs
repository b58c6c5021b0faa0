/** Creates data/countries/*.json from the data packages, Node's CLDR data and the overlay. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { continents, countries, languages } from 'countries-list'
import { iso31661, iso31662 } from 'iso-3166'
import { applyOverlay, arrangeSubdivisions } from './overlay.mjs'

export const FOLDER = fileURLToPath(new URL('../../data/countries/', import.meta.url))

/** Languages of countries.trevorblades.com, whose names are stored; Node has those of others. */
const NAME_LANGUAGES = 'en ru es fr de ja tr pt fa it zh nl pl vi'.split(' ')
const PACKAGES = ['countries-list', 'iso-3166']
/** Version of the table that `zones.tsv` was extracted from. */
const TIME_ZONES_VERSION = '2026c'

/** Contents by file name; `today` is the date in `_meta`. */
export function prepare(today) {
  const overlay = readJson('overlay.json')
  const world = applyOverlay(collect(), overlay)
  const used = new Set(world.countries.flatMap((country) => country.currencies))
  return {
    'countries.json': writeLines(world.countries),
    'languages.json': writeLines(world.languages),
    'currencies.json': writeLines([...used].sort().map(describeCurrency)),
    'subdivisions.json': writeLines(arrangeSubdivisions(listSubdivisions(), overlay.subdivisions)),
    'names.json': writeLines(NAME_LANGUAGES.map((code) => listNames(code, world.countries))),
    'meta.json': `${JSON.stringify(describeSources(today), null, 2)}\n`
  }
}

function collect() {
  const zones = Map.groupBy(readTable('zones.tsv'), ([code]) => code)
  const codes = Object.keys(countries)
  const assigned = new Map(
    iso31661.filter(({ state }) => state === 'assigned').map((row) => [row.alpha2, row])
  )
  return {
    countries: codes
      .filter((code) => assigned.has(code) || code === 'XK')
      .sort()
      .map((code) => collectCountry(code, assigned.get(code), zones.get(code) ?? [])),
    languages: Object.keys(languages)
      .sort()
      .map((code) => {
        const { name, native, rtl } = languages[code]
        return { code, name, native, rtl: Boolean(rtl) }
      })
  }
}

function collectCountry(code, iso, zones) {
  const { name, native, phone, continent, capital, currency, alias = [], ...rest } = countries[code]
  return {
    code,
    alpha3: iso?.alpha3 ?? null,
    numeric: iso?.numeric ?? null,
    name,
    native,
    aliases: [...alias],
    continent,
    continents: [...(rest.continents ?? [continent])],
    capital: capital || null,
    currencies: [...currency],
    languages: [...rest.languages],
    phones: phone.map(String),
    timezones: zones.map(([, name]) => name).sort(),
    awsRegion: nearestRegion(code)
  }
}

function nearestRegion(code) {
  // Regions in China are run by another operator.
  if (code === 'CN') return 'cn-north-1'
  const place = readJson('places.json')[code]
  const regions = Object.entries(readJson('aws-regions.json'))
  const [nearest] = regions.sort(([, a], [, b]) => distance(place, a) - distance(place, b))
  return nearest[0]
}

/** Great-circle distance on the unit sphere. */
function distance(a, b) {
  const radians = (degrees) => (degrees * Math.PI) / 180
  const half = (from, to) => Math.sin(radians(to - from) / 2) ** 2
  const across =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude)
  return 2 * Math.asin(Math.sqrt(across))
}

function describeCurrency(code) {
  const part = (display) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: display })
  const symbol = part('narrowSymbol')
    .formatToParts(0)
    .find(({ type }) => type === 'currency').value
  const { maximumFractionDigits: digits } = part('code').resolvedOptions()
  return { code, name: new Intl.DisplayNames('en', { type: 'currency' }).of(code), symbol, digits }
}

/** `parent` is null if it is the country itself. */
function listSubdivisions() {
  return iso31662
    .map(({ code, name, parent }) => ({ code, name, parent: parent.includes('-') ? parent : null }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

function listNames(language, all) {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return {
    language,
    names: Object.fromEntries(all.map(({ code }) => [code, names.of(code)]))
  }
}

function describeSources(updated) {
  const packages = PACKAGES.map((name) => {
    const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
    const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'))
    return { name, version, licence: license }
  })
  const cldr = { name: 'CLDR', version: process.versions.cldr, licence: 'Unicode-3.0' }
  const zones = { name: 'tz', version: TIME_ZONES_VERSION, licence: 'public domain' }
  const own = { name: 'nonet overlay', version: updated, licence: 'MIT' }
  return {
    dataVersion: updated.replaceAll('-', '.'),
    updated,
    continents,
    sources: [...packages, zones, cldr, own]
  }
}

function readJson(name) {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
}

function readTable(name) {
  const lines = readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t'))
}

/** One record per line, so that a change of a record changes one line. */
function writeLines(records) {
  return `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`
}
