import type { TypeName } from '../contract.ts'
import { type Entry, nameOf } from '../dataset/universe.ts'
import { frame, type Markup } from './canvas.ts'
import { createDice, type Dice } from './dice.ts'
import { drawFilm } from './film.ts'
import { drawPerson } from './person.ts'
import { drawPlanet } from './planet.ts'
import { drawSpecies } from './species.ts'
import { drawStarship } from './starship.ts'
import { drawVehicle } from './vehicle.ts'

const DRAW: Readonly<Record<TypeName, (entry: Entry, dice: Dice) => Markup>> = {
  people: drawPerson,
  planets: drawPlanet,
  films: drawFilm,
  species: drawSpecies,
  vehicles: drawVehicle,
  starships: drawStarship
}

/** Draws the image of a record as an SVG document. */
export function drawImage(type: TypeName, entry: Entry): string {
  const name = nameOf(type, entry)
  return frame(name, DRAW[type](entry, createDice(`${type} ${entry.id} ${name}`)))
}
