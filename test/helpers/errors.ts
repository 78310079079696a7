import { HostError, RpcError } from '../../src/base/errors.ts';

/** How a promise ended, in a form that can be compared: its value, or the code of its error. */
export async function ending(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof HostError) return { host: error.code };
    if (error instanceof RpcError) return { rpc: error.code };
    throw error;
  }
}
