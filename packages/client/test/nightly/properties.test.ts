import { test } from 'vitest'
import { hideMarkedValues, hideResponseValues } from '../properties.ts'

test('a marker below a masked name never appears in the output', () => hideMarkedValues(3000))

test('no message contains a value of the response', () => hideResponseValues(3000))
