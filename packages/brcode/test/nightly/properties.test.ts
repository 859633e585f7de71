import { testProperties } from '../properties.ts'

testProperties(20, 1)
