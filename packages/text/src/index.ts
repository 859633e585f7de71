export { pointerOf, stepsOf, valueAt } from './pointer.ts'
export { messageOf, visible } from './visible.ts'
