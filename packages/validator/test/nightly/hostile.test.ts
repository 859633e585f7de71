import { it } from 'vitest'
import { PROPERTIES } from '../hostile.ts'

it.each(PROPERTIES)('$title', ({ expectHolds }) => expectHolds(6_000))
