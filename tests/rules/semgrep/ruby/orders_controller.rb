class OrdersController < ApplicationController
  skip_before_action :verify_authenticity_token # expect: ruby-csrf-off
  skip_before_action :authenticate_user, only: [:index] # ok: ruby-csrf-off

  def index
    name = params[:name]
    Order.where("name = '#{name}'") # expect: ruby-sql-injection
    Order.where("name = ?", name) # ok: ruby-sql-injection
    Order.where("id = #{params[:id].to_i}") # ok: ruby-sql-injection
    system("convert #{name}") # expect: ruby-command-injection
    system("convert", name) # ok: ruby-command-injection
    eval(params[:formula]) # expect: ruby-code-evaluation
    eval("1 + 1") # ok: ruby-code-evaluation
    name.html_safe # expect: ruby-cross-site-scripting
    h(name).html_safe # ok: ruby-cross-site-scripting
    Marshal.load(cookies[:basket]) # expect: ruby-unsafe-deserialisation
    JSON.parse(cookies[:basket]) # ok: ruby-unsafe-deserialisation
    File.read("files/#{name}") # expect: ruby-path-traversal
    File.read("files/#{File.basename(name)}") # ok: ruby-path-traversal
    HTTParty.get(params[:url]) # expect: ruby-ssrf
    HTTParty.get("https://api.example/") # ok: ruby-ssrf
    Order.new(params.require(:order).permit!) # expect: ruby-mass-assignment
    Order.new(params.require(:order).permit(:name)) # ok: ruby-mass-assignment
    redirect_to(root_path) # ok: ruby-open-redirect
    redirect_to(params[:next]) # expect: ruby-open-redirect
  end

  def keys(password, payload, key)
    Digest::MD5.hexdigest(password) # expect: ruby-weak-password-hash
    Digest::MD5.hexdigest(payload) # ok: ruby-weak-password-hash
    OpenSSL::Cipher.new("aes-128-ecb") # expect: ruby-weak-cipher
    OpenSSL::Cipher.new("aes-256-gcm") # ok: ruby-weak-cipher
    reset_token = rand(999_999) # expect: ruby-guessable-secret
    csrf_token = SecureRandom.hex # ok: ruby-guessable-secret
    shelf = rand(9) # ok: ruby-guessable-secret
    JWT.encode({ shelf: shelf, c: csrf_token, r: reset_token }, "hunter2hunter2", "HS256") # expect: ruby-key-in-source
    JWT.encode({ shelf: shelf }, key, "HS256") # ok: ruby-key-in-source
    http.verify_mode = OpenSSL::SSL::VERIFY_NONE # expect: ruby-certificate-check-off
    http.verify_mode = OpenSSL::SSL::VERIFY_PEER # ok: ruby-certificate-check-off
    JWT.decode(payload, nil, false) # expect: ruby-jwt-unverified
    JWT.decode(payload, key, true, algorithm: "HS256") # ok: ruby-jwt-unverified
    cookies[:sid] = { value: payload, httponly: false } # expect: ruby-cookie-flag-off
    cookies[:sid] = { value: payload, httponly: true, secure: true } # ok: ruby-cookie-flag-off
    response.headers["Access-Control-Allow-Origin"] = "*" # expect: ruby-cors-everyone
    response.headers["Access-Control-Allow-Origin"] = "https://shop.example" # ok: ruby-cors-everyone
  end
end

Rails.application.configure do
  config.consider_all_requests_local = true # expect: ruby-debug-mode
  config.consider_all_requests_local = false # ok: ruby-debug-mode
end
