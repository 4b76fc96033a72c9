import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Application } from "./application.tsx";
import { applyTheme } from "./parts/theme.tsx";
import "./styles/index.css";

applyTheme();
const root = document.getElementById("postern");
if (!root) throw new Error("index.html has no place for the application");
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
