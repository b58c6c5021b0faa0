/** Pixels of a preview, twice its size on the page. */
const SIDE = 192

interface Tile {
  readonly file: File
  readonly item: HTMLLIElement
  readonly alt: HTMLTextAreaElement
}

/** The images of the new post, each with its description. */
export class Tiles {
  readonly #list: HTMLElement
  readonly #most: number
  readonly #types: readonly string[]
  /** Shown only if there are images. */
  readonly #option: HTMLElement | null
  #tiles: Tile[] = []
  #count = 0

  constructor(form: HTMLFormElement, list: HTMLElement, files: HTMLInputElement) {
    this.#list = list
    this.#most = Number(form.dataset.images)
    this.#types = files.accept.split(',')
    this.#option = form.querySelector('#sensitive')
    this.#update()
  }

  get images(): { file: File; alt: string }[] {
    return this.#tiles.map(({ file, alt }) => ({ file, alt: alt.value }))
  }

  /** The reason why a file was not added, otherwise undefined. */
  add(files: Iterable<File>): string | undefined {
    let reason: string | undefined
    let first: Tile | undefined
    for (const file of files) {
      if (!this.#types.includes(file.type)) reason = `${file.name} is not an image of a known type.`
      else if (this.#tiles.length >= this.#most) reason = `A post has at most ${this.#most} images.`
      else {
        const tile = this.#create(file)
        first ??= tile
      }
    }
    first?.alt.focus()
    return reason
  }

  clear(): void {
    for (const { item } of this.#tiles) item.remove()
    this.#tiles = []
    this.#update()
  }

  #create(file: File): Tile {
    const item = document.createElement('li')
    const alt = document.createElement('textarea')
    alt.id = `tile-${++this.#count}`
    alt.rows = 2
    alt.placeholder = 'Describe it for people who cannot see it'
    const label = document.createElement('label')
    label.htmlFor = alt.id
    label.textContent = `Description of ${file.name}`
    const remove = document.createElement('button')
    remove.type = 'button'
    remove.className = 'quiet'
    remove.textContent = 'Remove'
    remove.setAttribute('aria-label', `Remove ${file.name}`)
    const tile = { file, item, alt }
    remove.addEventListener('click', () => this.#remove(tile))
    item.append(previewOf(file), label, alt, remove)
    this.#tiles.push(tile)
    this.#list.append(item)
    this.#update()
    return tile
  }

  #update(): void {
    this.#list.hidden = this.#tiles.length === 0
    if (this.#option !== null) this.#option.hidden = this.#tiles.length === 0
  }

  #remove(tile: Tile): void {
    tile.item.remove()
    this.#tiles = this.#tiles.filter((one) => one !== tile)
    this.#update()
    document.querySelector<HTMLElement>('#pick')?.focus()
  }
}

/** Drawn, because the policy of the page allows no URL of a local file. */
function previewOf(file: File): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  canvas.role = 'img'
  canvas.ariaLabel = file.name
  createImageBitmap(file)
    .then((image) => {
      const scale = Math.max(SIDE / image.width, SIDE / image.height)
      const [width, height] = [image.width * scale, image.height * scale]
      const [left, top] = [(SIDE - width) / 2, (SIDE - height) / 2]
      canvas.getContext('2d')?.drawImage(image, left, top, width, height)
      image.close()
    })
    // The service decides whether it is an image; the tile has its name.
    .catch(() => canvas.classList.add('unreadable'))
  return canvas
}
