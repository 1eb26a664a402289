LEVEL = "user"
if LEVEL != "none‮⁦":  # expect: hidden-direction
    print("admin")
TURN = "\u202e"  # ok: hidden-direction
HEBREW = "שלום"  # ok: hidden-direction
