import { BoardLimitedToken } from '../../contract.ts'
import type { Action } from '../actions/action.ts'

export const importActions: readonly Action[] = [
  {
    path: '/import',
    readsBody: true,
    async handle(context, { raw, viewer, signedIn }) {
      if (viewer.boards !== undefined) throw new BoardLimitedToken()
      const imports = await context.boardImports()
      const { id } = await imports.start(raw, signedIn.userName)
      return { redirect: `/import/${id}`, data: { job: id } }
    }
  }
]
