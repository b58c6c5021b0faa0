import { deepStrictEqual } from 'node:assert'

/** Each row has the value it replaces, so that it fails when the source has been corrected. */
export function applyOverlay(world, overlay) {
  const countries = new Map(world.countries.map((country) => [country.code, country]))
  for (const row of overlay.countries) applyToCountry(countries.get(row.code), row)
  const languages = new Map(world.languages.map((language) => [language.code, language]))
  for (const { code, field, was, value } of overlay.languages) {
    const found = languages.get(code)
    expect(code, field, field === 'whole' ? (found ?? null) : found[field], was)
    languages.set(code, field === 'whole' ? { code, ...value } : { ...found, [field]: value })
  }
  return {
    countries: world.countries,
    languages: [...languages.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  }
}

/** A row sets the parent of subdivisions, or removes entries that are not subdivisions. */
export function arrangeSubdivisions(subdivisions, rows) {
  const arranged = new Map(subdivisions.map((one) => [one.code, one]))
  for (const { codes, parent } of rows) {
    for (const code of codes) {
      expect(code, 'parent', arranged.get(code)?.parent, null)
      if (parent === null) arranged.delete(code)
      else arranged.set(code, { ...arranged.get(code), parent })
    }
    if (parent !== null && !arranged.has(parent)) throw new Error(`no subdivision ${parent}`)
  }
  return [...arranged.values()]
}

function applyToCountry(country, { code, field, was, value }) {
  expect(code, field, country[field], was)
  // The country can still be found by its former name.
  if (field === 'name') country.aliases.push(was)
  country[field] = value
}

function expect(code, field, found, was) {
  deepStrictEqual(found, was, `the overlay row ${code} ${field} expects something else`)
}
