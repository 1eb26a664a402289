import { Request, Response } from "express";
import { exec } from "child_process";

export async function order(req: Request, res: Response): Promise<void> {
  const id: string = req.params.id;
  await pool.query(`SELECT * FROM orders WHERE id = ${id}`); // expect: javascript-sql-injection
  await pool.query("SELECT * FROM orders WHERE id = $1", [id]); // ok: javascript-sql-injection
  exec(`convert ${id}`); // expect: javascript-command-injection
  res.redirect(req.query.next as string); // expect: javascript-open-redirect
}
