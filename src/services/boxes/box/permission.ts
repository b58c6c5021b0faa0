/** What somebody wants to do with a box. */
export type Need = 'read' | 'create' | 'write' | 'manage'
