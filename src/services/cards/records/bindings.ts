/** Resources of a token: the member it is for, and the boards if it is limited to some. */
export const MEMBER_BINDING = 'member:'
export const BOARD_BINDING = 'board:'
