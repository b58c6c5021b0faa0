import type { CardForm } from './card-form.ts'

const COMMAND = /^(up|down|remove|keep):([0-9a-f]{24})$/

/** The form after a button of an image; nothing is stored. */
export function arrange(form: CardForm, command: string): CardForm {
  const [, name, id = ''] = COMMAND.exec(command) ?? []
  switch (name) {
    case 'up':
      return { ...form, images: moved(form.images, id, -1) }
    case 'down':
      return { ...form, images: moved(form.images, id, 1) }
    case 'remove':
      return { ...form, removed: new Set([...form.removed, id]) }
    case 'keep':
      return { ...form, removed: new Set([...form.removed].filter((one) => one !== id)) }
    default:
      return form
  }
}

function moved(ids: readonly string[], id: string, by: -1 | 1): readonly string[] {
  const at = ids.indexOf(id)
  const other = ids[at + by]
  if (at === -1 || other === undefined) return ids
  return ids.map((one, index) => (index === at ? other : index === at + by ? id : one))
}
