import type { CardContext } from '../context.ts'
import { isFirstStart } from '../store/sample.ts'

/** Most starts load nothing for the sample. */
export async function storeFirstSample(context: CardContext): Promise<void> {
  if (!(await context.store.read(isFirstStart))) return
  const { storeSample } = await import('./sample.ts')
  await storeSample(context)
}
