/** JSON as the page knows it: the one door between the page and `src/base`. */
export { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
