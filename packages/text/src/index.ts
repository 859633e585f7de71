export { pointerOf, stepsOf, valueAt } from './pointer.ts'
export { visible } from './visible.ts'
