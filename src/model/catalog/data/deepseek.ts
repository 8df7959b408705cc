// Made by scripts/catalog.mjs from published data: do not edit.
import type { CatalogRow } from '../row.ts';

export const rows: readonly CatalogRow[] = [
  {"id":"deepseek-chat","match":["deepseek-chat*","deepseek-chat-v3-0324"],"context":64000,"price":{"input":0.27,"output":1.1,"cacheRead":0.07}},
  {"id":"deepseek-reasoner","match":["deepseek-reasoner","deepseek-r1*","deepseek-r1-0528"],"context":64000,"price":{"input":0.55,"output":2.19,"cacheRead":0.14}},
  {"id":"deepseek-v3.1-terminus","context":128000,"price":{"input":0.27,"output":0.95,"cacheRead":0.13}},
  {"id":"deepseek-v3.2","context":128000,"price":{"input":0.2288,"output":0.3432}},
  {"id":"deepseek-v3.2-exp","context":128000,"price":{"input":0.27,"output":0.41}},
  {"id":"deepseek-v4-flash","match":"deepseek-v4-flash*","context":1000000,"price":{"input":0.44,"output":1.32,"cacheRead":0.014}},
  {"id":"deepseek-v4-pro","match":"deepseek-v4-pro*","context":1000000,"output":384000,"tools":true,"price":{"input":1.32,"output":3.96,"cacheRead":0.044}},
  {"id":"deepseek-flash","context":1000000,"output":384000,"tools":true,"price":{"input":0.3,"output":1.2,"cacheRead":0.006}},
];
