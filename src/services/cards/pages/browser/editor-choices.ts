/** State and list of a card agree: a public list means published, another one a draft. */
export function keepState(changed: HTMLElement): void {
  const list = document.querySelector<HTMLSelectElement>('#f-list')
  if (list === null) return
  if (changed === list) followList(list)
  else if (changed instanceof HTMLInputElement && changed.name === 'state') {
    followState(changed.value, list)
  }
}

function isPublic({ dataset }: HTMLSelectElement, id: string): boolean {
  return (dataset.public ?? '').split(' ').includes(id)
}

function followList(list: HTMLSelectElement): void {
  if (stateInput(':checked')?.value === 'scheduled') return
  const state = isPublic(list, list.value) ? 'published' : 'draft'
  const wanted = stateInput(`[value="${state}"]`)
  if (wanted !== null) wanted.checked = true
}

function followState(state: string, list: HTMLSelectElement): void {
  if (state === 'scheduled') {
    document.getElementById('f-publishAt')?.focus()
    return
  }
  const fits = (id: string) => isPublic(list, id) === (state === 'published')
  const option = [...list.options].find(({ value }) => fits(value))
  if (!fits(list.value) && option !== undefined) list.value = option.value
}

function stateInput(selector: string): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(`#editor [name="state"]${selector}`)
}
